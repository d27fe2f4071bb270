// sizes: large
// Panels of a, one line of memory wide, are turned by squares in registers into a buffer that the caches hold, whose rows then go to y in whole
// lines that bypass them: nothing of y is read.
#include <algorithm>

#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/streaming.hpp"
#include "toolbox/host/turn.hpp"

namespace sextant {
namespace {

struct Panel {
  int panel = 512;  // rows of a
};
constexpr int longest_panel = 1024;

// Rows [i, i_end) and columns [j, j_end), no more of these than a line holds.
template <typename T>
void turn_panel(const Extents& extents, const T* a, T* y, std::int64_t i, std::int64_t i_end, std::int64_t j,
                std::int64_t j_end) {
  constexpr std::int64_t line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  // No power of two: the lines that a row goes to lie in different sets of the cache.
  constexpr std::int64_t stride = longest_panel + line;
  alignas(line_bytes) T buffer[line * stride];
  const std::int64_t width = j_end - j;
  constexpr int side = static_cast<int>(line);
  std::int64_t at = i;
  if (width == line)
    for (; at + line <= i_end; at += line)
      turn_squares<side, side>(a + at * extents.x + j, extents.x, buffer + at - i, stride);
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
  constexpr std::int64_t line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t panel = call.tuned<Panel>().panel;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static)
    for (std::int64_t i = 0; i < extents.y; i += panel)
      for (std::int64_t j = 0; j < extents.x; j += line)
        turn_panel(extents, a, y, i, std::min(extents.y, i + panel), j, std::min(extents.x, j + line));
    stream_fence();
  }
}

}  // namespace

Variant transpose_openmp_streaming() {
  Variant variant;
  variant.description = "panels turned in a buffer, then written in lines that bypass the caches";
  variant.tunables = tunables<Panel>({{"panel", &Panel::panel, {128, 256, 512, longest_panel}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
