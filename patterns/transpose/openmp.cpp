#include <algorithm>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/streaming.hpp"
#include "toolbox/host/turn.hpp"

namespace sextant {
namespace {

namespace blocked {

struct Tile {
  int tile = 32;
};

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const std::int64_t tile = call.tuned<Tile>().tile;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t j = 0; j < extents.x; j += tile)
    for (std::int64_t i = 0; i < extents.y; i += tile)
      transpose::turn_block(extents, a, y, i, std::min(extents.y, i + tile), j,
                            std::min(extents.x, j + tile));
}

}  // namespace blocked

// Cache-oblivious transpose: the longer side of a block is halved recursively until the block is small. Then
// each cache holds the blocks of some recursion level. Large halves are tasks.
namespace recursive {

struct Base {
  int base_case_side = 32;  // recursion stops if no side of a block is longer than this
};

// minimum number of elements of a block for which a half becomes a task
constexpr std::int64_t least_task = std::int64_t{1} << 16;

template <typename T>
void turn(const Extents& extents, const T* a, T* y, std::int64_t i, std::int64_t i_end, std::int64_t j,
          std::int64_t j_end, std::int64_t base) {
  const std::int64_t height = i_end - i, width = j_end - j;
  if (height <= base && width <= base) return transpose::turn_block(extents, a, y, i, i_end, j, j_end);
  const bool along_i = height >= width;
  const std::int64_t i_half = along_i ? i + height / 2 : i_end, j_half = along_i ? j_end : j + width / 2;
#pragma omp task default(none) shared(extents) \
    firstprivate(a, y, i, i_half, j, j_half, base) if (height * width > least_task)
  turn(extents, a, y, i, i_half, j, j_half, base);
  turn(extents, a, y, along_i ? i_half : i, i_end, along_i ? j : j_half, j_end, base);
#pragma omp taskwait
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  const std::int64_t base = call.tuned<Base>().base_case_side;
#pragma omp parallel
#pragma omp single
  turn(extents, a, y, 0, extents.y, 0, extents.x, base);
}

}  // namespace recursive

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = call.problem.extents.y, columns = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < columns; ++j)
#pragma omp simd
    for (std::int64_t i = 0; i < rows; ++i) y[j * rows + i] = a[i * columns + j];
}

}  // namespace simd

// Panels of a, a few cache lines wide, are transposed in registers into a cached buffer. The rows of the
// buffer are then written to y in whole cache lines by non-temporal stores, so y is never read. Meanwhile,
// the next panel is prefetched in software, because hardware prefetchers cannot follow so many rows.
namespace streaming {

struct Panel {
  int panel = 512, cache_lines = 4;  // panel: rows of a per panel. cache_lines: cache lines per row.
};
constexpr int longest_panel = 512;
using Widths = Choices<1, 2, 4>;

// Transposes rows i … i_end - 1 and columns j … j_end - 1. The columns fill at most `lines` cache lines.
template <int lines, typename T>
void turn_panel(const Extents& extents, const T* a, T* y, std::int64_t i, std::int64_t i_end, std::int64_t j,
                std::int64_t j_end) {
  constexpr int line = line_bytes / static_cast<int>(sizeof(T));
  // The stride of the buffer is rarely a power of two. So the cache lines of a column fall into different
  // cache sets.
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
  Widths::with(call.tuned<Panel>().cache_lines, [&]<int lines>() {
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

}  // namespace streaming

}  // namespace

std::vector<Variant> transpose_openmp() {
  return {
      {.name = "blocked",
       .description = "square tiles in the order of y's rows, so that cache lines of both matrices are fully "
                      "used",
       .tunables = tunables<blocked::Tile>({{"tile", &blocked::Tile::tile, {8, 16, 32, 64, 128}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(blocked::launch)},
      {.name = "recursive",
       .description = "cache-oblivious: halves the longer side, as tasks, down to small blocks",
       .tunables = tunables<recursive::Base>(
           {{"base_case_side", &recursive::Base::base_case_side, {16, 32, 64, 128}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(recursive::launch)},
      {.name = "simd",
       .description = "threads over y's rows, each written in order",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      {.name = "streaming",
       .description =
           "panels transposed in a cached buffer, then written in whole cache lines that bypass the "
           "caches",
       .tunables = tunables<streaming::Panel>(
           {{"panel", &streaming::Panel::panel, {64, 128, 256, streaming::longest_panel}},
            {"cache_lines", &streaming::Panel::cache_lines, streaming::Widths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(streaming::launch),
       .for_large_arrays = true},
  };
}

}  // namespace sextant
