#include "rows.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, R = conv2d::radius_of(call.problem);
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < n; ++j) conv2d::points<T>({n, R, j, x, w, y}, 0, n);
}

}  // namespace simd

// Computes several rows of y at a time, with the sums of a few vectors of columns in registers. Each vector
// of x is read once for all these rows. Results are collected in the L1 cache and then stored in whole cache
// lines that bypass the caches.
namespace streaming {

// Number of rows of y computed together, limited by the registers for their sums.
constexpr int rows = vector_bytes == 64 ? 8 : 4;
constexpr std::int64_t tile_x = 512, tile_y = 64;

struct Stores {
  int streaming_stores = 1;
};

// The grid, and a buffer for the thread's results before they are stored.
template <typename T>
struct Tile {
  std::int64_t n;
  const T *x, *w;
  T* y;
  bool streaming_stores;
  alignas(line_bytes) T kept[rows][tile_x];
};

// Computes `vectors` vectors of points in each of the rows j to j + rows - 1, from column i on. All points
// are at least R away from the boundary. The outer loop runs over the columns of w and keeps one column's
// weights in registers.
template <int R, int vectors, typename T>
void sum_rows(Tile<T>& tile, std::int64_t j, std::int64_t i, std::int64_t to) {
  typedef T Vector __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  constexpr std::int64_t lanes = vector_bytes / static_cast<std::int64_t>(sizeof(T));
  constexpr int width = 2 * R + 1;
  const std::int64_t n = tile.n;
  Vector sums[rows][vectors] = {};
  for (int a = 0; a < width; ++a) {
    Vector weights[width];
#pragma GCC unroll 15
    for (int b = 0; b < width; ++b) weights[b] = Vector{} + tile.w[b * width + a];
    const T* from = tile.x + (j - R) * n + i - R + a;
#pragma GCC unroll 30
    for (int r = 0; r < rows + 2 * R; ++r, from += n) {
      // Keeps the compiler from holding one address per row, for which there are too few registers.
      asm("" : "+r"(from));
      Vector values[vectors];
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) values[v] = *reinterpret_cast<const Vector*>(from + v * lanes);
#pragma GCC unroll 8
      for (int k = 0; k < rows; ++k)
        if (r >= k && r - k < width)
#pragma GCC unroll 4
          for (int v = 0; v < vectors; ++v) sums[k][v] += weights[r - k] * values[v];
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < rows; ++k)
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) *reinterpret_cast<Vector*>(&tile.kept[k][to + v * lanes]) = sums[k][v];
}

// Computes columns `from` to `to` - 1 of rows j to j + rows - 1, all at least R away from the boundary. There
// must be at least one vector of columns.
template <int R, typename T>
void write_rows(Tile<T>& tile, std::int64_t j, std::int64_t from, std::int64_t to) {
  constexpr std::int64_t lanes = vector_bytes / static_cast<std::int64_t>(sizeof(T));
  constexpr int together = 2;
  std::int64_t i = from;
  for (; i + together * lanes <= to; i += together * lanes) {
    for (int k = 0; k < rows; ++k)  // prefetch the rows of x that the next rows of y read first
      for (int v = 0; v < together; ++v)
        __builtin_prefetch(tile.x + std::min(j + rows + R + k, tile.n - 1) * tile.n + i + v * lanes);
    sum_rows<R, together>(tile, j, i, i - from);
  }
  for (; i + lanes <= to; i += lanes) sum_rows<R, 1>(tile, j, i, i - from);
  if (i < to) sum_rows<R, 1>(tile, j, to - lanes, to - lanes - from);
  for (int k = 0; k < rows; ++k) {
    T* const row = tile.y + (j + k) * tile.n;
    const T* const kept = tile.kept[k];
    if (tile.streaming_stores)
      stream_runs<1>(
          from, to, 0, row, [=](std::int64_t at) { return kept[at - from]; },
          [](std::int64_t) { return NoPatch{}; });
    else
      std::copy(kept, kept + (to - from), row + from);
  }
}

template <int R, typename T>
void write_tile(Tile<T>& tile, std::int64_t top, std::int64_t left) {
  const std::int64_t n = tile.n, bottom = std::min(n, top + tile_y), right = std::min(n, left + tile_x),
                     from = std::max<std::int64_t>(left, R), to = std::min(right, n - R);
  const bool wide = to - from >= vector_bytes / static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t j = top; j < bottom;) {
    if (!wide || j < R || j + rows > bottom || j + rows + R > n) {
      conv2d::points<T>({n, R, j, tile.x, tile.w, tile.y}, left, right);
      ++j;
      continue;
    }
    write_rows<R>(tile, j, from, to);
    for (const std::int64_t last = j + rows; j < last; ++j) {
      conv2d::points<T>({n, R, j, tile.x, tile.w, tile.y}, left, from);
      conv2d::points<T>({n, R, j, tile.x, tile.w, tile.y}, to, right);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
#pragma omp parallel
    {
      Tile<T> tile;
      tile.n = n, tile.x = call.array<const T>(0), tile.w = call.array<const T>(1), tile.y = call.array<T>(2);
      tile.streaming_stores = call.tuned<Stores>().streaming_stores != 0;
#pragma omp for collapse(2) schedule(dynamic)
      for (std::int64_t top = 0; top < n; top += tile_y)
        for (std::int64_t left = 0; left < n; left += tile_x) write_tile<R>(tile, top, left);
      stream_fence();
    }
  });
}

}  // namespace streaming

// Processes strips of columns. They are so narrow that the L1 cache keeps the 2R + 1 rows of x that a row of
// y needs.
namespace tiles {

struct Tile {
  int tile_x = 512, tile_y = 64;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, R = conv2d::radius_of(call.problem);
  const auto tile = call.tuned<Tile>();
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t top = 0; top < n; top += tile.tile_y)
    for (std::int64_t left = 0; left < n; left += tile.tile_x)
      for (std::int64_t j = top; j < std::min(n, top + tile.tile_y); ++j)
        conv2d::points<T>({n, R, j, x, w, y}, left, std::min(n, left + tile.tile_x));
}

}  // namespace tiles

}  // namespace

std::vector<Variant> conv2d_openmp() {
  return {
      {.name = "simd",
       .description = "threads over rows, SIMD along a row, sums in registers",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      {.name = "streaming",
       .description =
           "several rows at a time with sums in registers; stores of large arrays bypass the caches",
       .tunables =
           tunables<streaming::Stores>({{"streaming_stores", &streaming::Stores::streaming_stores, {0, 1}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(streaming::launch),
       .adapt = by_name<adapt_past_shared_cache<streaming::Stores>>,
       .for_large_arrays = true},
      {.name = "tiles",
       .description = "threads over tiles whose rows of x stay in the L1 cache",
       .tunables = tunables<tiles::Tile>({{"tile_x", &tiles::Tile::tile_x, {128, 256, 512, 1024}},
                                          {"tile_y", &tiles::Tile::tile_y, {16, 64, 256}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(tiles::launch)},
  };
}

}  // namespace sextant
