// sizes: large
// Panels of a, some lines of memory wide, are turned by squares in registers into a buffer that the caches hold, whose rows then go to y in whole
// lines that bypass them: nothing of y is read. Of each row of a panel the next panel's lines are asked for meanwhile, as no prefetcher follows so
// many rows.
#include <algorithm>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/streaming.hpp"
#include "toolbox/host/turn.hpp"

namespace sextant {
namespace {

struct Panel {
  int panel = 512, lines = 4;  // rows of a; lines of memory of each
};
constexpr int longest_panel = 512;
using Widths = Choices<1, 2, 4>;

// Rows [i, i_end) and columns [j, j_end), no more of these than `lines` hold.
template <int lines, typename T>
void turn_panel(const Extents& extents, const T* a, T* y, std::int64_t i, std::int64_t i_end, std::int64_t j,
                std::int64_t j_end) {
  constexpr int line = line_bytes / static_cast<int>(sizeof(T));
  // Mostly no power of two: the lines that a row goes to lie in different sets of the cache.
  const std::int64_t width = j_end - j, stride = (i_end - i) / line * line + line;
  alignas(line_bytes) T buffer[lines * line * (longest_panel + line)];
  std::int64_t at = i;
  if (width == lines * line)
    for (; at + line <= i_end; at += line) {
      for (int r = 0; r < line; ++r)
        for (int k = 0; k < lines; ++k) __builtin_prefetch(a + (at + r) * extents.x + j_end + k * line);
      turn_squares<line, lines * line>(a + at * extents.x + j, extents.x, buffer + at - i, stride);
    }
  for (; at < i_end; ++at)
    for (std::int64_t k = 0; k < width; ++k) buffer[k * stride + at - i] = a[at * extents.x + j + k];
  for (std::int64_t k = 0; k < width; ++k) {
    const T* turned = buffer + k * stride;
    stream_runs<1>(
        i, i_end, 0, y + (j + k) * extents.y, [turned, i](std::int64_t row) { return turned[row - i]; },
        [](std::int64_t) { return NoPatch{}; });
  }
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const std::int64_t panel = call.tuned<Panel>().panel;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  Widths::with(call.tuned<Panel>().lines, [&]<int lines>() {
    constexpr std::int64_t width = lines * line_bytes / static_cast<std::int64_t>(sizeof(T));
#pragma omp parallel
    {
#pragma omp for collapse(2) schedule(dynamic, 8)
      for (std::int64_t i = 0; i < extents.y; i += panel)
        for (std::int64_t j = 0; j < extents.x; j += width)
          turn_panel<lines>(extents, a, y, i, std::min(extents.y, i + panel), j,
                            std::min(extents.x, j + width));
      stream_fence();
    }
  });
}

}  // namespace

Variant transpose_openmp_streaming() {
  Variant variant;
  variant.description = "panels turned in a buffer, then written in lines that bypass the caches";
  variant.tunables = tunables<Panel>(
      {{"panel", &Panel::panel, {64, 128, 256, longest_panel}}, {"lines", &Panel::lines, Widths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
