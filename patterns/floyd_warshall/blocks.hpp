// Blocked Floyd-Warshall algorithm on the host, for blocks of 64 vertices. Each step computes the shortest
// paths within the block, then the paths from the block to all vertices. Then bands of rows are updated
// independently, with the running minima in vector registers.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "loop.hpp"
#include "toolbox/host/vector_bytes.hpp"

namespace sextant::floyd_warshall {

// `tile`: vertices per block; `band`: rows of the distance matrix that are updated together.
inline constexpr std::int64_t tile = 64, band = 16;
inline constexpr int rows = 4;  // rows whose minima are kept in registers, two vectors each
template <typename T>
inline constexpr int columns = 2 * vector_bytes / static_cast<int>(sizeof(T));

// A matrix with row stride `step`, in elements.
template <typename T>
struct Matrix {
  T* data;
  std::int64_t step;
  SEXTANT_PATHS_INLINE T* at(std::int64_t i, std::int64_t j) const { return data + i * step + j; }
};

// Min-plus product for a cell of `rows` x `columns` elements: to[i][j] becomes the minimum of itself and
// a[i][p] + b[p][j] for all p < depth.
template <typename T>
static void relax_cell(std::int64_t depth, Matrix<const T> a, Matrix<const T> b, Matrix<T> to) {
  typedef T Vector __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  constexpr std::int64_t half = columns<T> / 2;
  Vector least[rows][2];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    least[r][0] = *reinterpret_cast<const Vector*>(to.at(r, 0));
    least[r][1] = *reinterpret_cast<const Vector*>(to.at(r, half));
  }
  for (std::int64_t p = 0; p < depth; ++p) {
    const Vector left = *reinterpret_cast<const Vector*>(b.at(p, 0)),
                 right = *reinterpret_cast<const Vector*>(b.at(p, half));
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      const T first = *a.at(r, p);
      const Vector over_left = first + left, over_right = first + right;
      least[r][0] = over_left < least[r][0] ? over_left : least[r][0];
      least[r][1] = over_right < least[r][1] ? over_right : least[r][1];
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    *reinterpret_cast<Vector*>(to.at(r, 0)) = least[r][0];
    *reinterpret_cast<Vector*>(to.at(r, half)) = least[r][1];
  }
}

// Like relax_cell, but for any height and width. Cells that cross the lower or right border are computed one
// element at a time.
template <typename T>
static void relax(std::int64_t depth, std::int64_t height, std::int64_t width, Matrix<const T> a,
                  Matrix<const T> b, Matrix<T> to) {
  for (std::int64_t j = 0; j < width; j += columns<T>)
    for (std::int64_t i = 0; i < height; i += rows) {
      if (i + rows <= height && j + columns<T> <= width) {
        relax_cell<T>(depth, {a.at(i, 0), a.step}, {b.at(0, j), b.step}, {to.at(i, j), to.step});
        continue;
      }
      const std::int64_t last = std::min<std::int64_t>(width, j + columns<T>);
      for (std::int64_t r = i; r < std::min<std::int64_t>(height, i + rows); ++r)
        for (std::int64_t p = 0; p < depth; ++p)
          for (std::int64_t c = j; c < last; ++c)
            *to.at(r, c) = smaller(*to.at(r, c), *a.at(r, p) + *b.at(p, c));
    }
}

// Computes the shortest paths within the block of `count` vertices that starts with vertex k.
template <typename T>
static void close(std::int64_t count, Matrix<const T> d, std::int64_t k, Matrix<T> among) {
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t j = 0; j < count; ++j) *among.at(i, j) = *d.at(k + i, k + j);
  for (std::int64_t p = 0; p < count; ++p)
    for (std::int64_t i = 0; i < count; ++i) {
      const T first = *among.at(i, p);
      for (std::int64_t j = 0; j < count; ++j)
        *among.at(i, j) = smaller(*among.at(i, j), first + *among.at(p, j));
    }
}

// Computes rows i to i + height - 1 of `onward`, the paths from the block's vertices to all vertices. `among`
// holds the paths within the block.
template <typename T>
static void go_on(std::int64_t n, std::int64_t count, std::int64_t height, Matrix<const T> d, std::int64_t k,
                  std::int64_t i, Matrix<const T> among, Matrix<T> onward) {
  for (std::int64_t r = i; r < i + height; ++r) std::copy_n(d.at(k + r, 0), n, onward.at(r, 0));
  relax<T>(count, height, n, {among.at(i, 0), among.step}, {d.at(k, 0), d.step},
           {onward.at(i, 0), onward.step});
}

// Updates at most `band` rows of d, starting with row i. First it computes the paths to the block's vertices,
// then the paths through the block to all vertices.
template <typename T>
static void relax_band(std::int64_t n, std::int64_t count, std::int64_t k, std::int64_t i,
                       Matrix<const T> among, Matrix<const T> onward, Matrix<T> d) {
  T ways[band * tile];
  const std::int64_t height = std::min(band, n - i);
  const Matrix<T> to_them{ways, tile};
  for (std::int64_t r = 0; r < height; ++r) std::copy_n(d.at(i + r, k), count, to_them.at(r, 0));
  relax<T>(count, height, count, {d.at(i, k), d.step}, among, to_them);
  relax<T>(count, height, n, {ways, tile}, onward, {d.at(i, 0), d.step});
}

// The whole computation. for_each(count, body) must call body(i) for 0 <= i < count, in any order. The
// variant's state holds `among` (paths within a block) and `onward` (paths from the block to all vertices).
template <typename T, typename ForEach>
static void blocked(const Call& call, const ForEach& for_each) {
  const std::int64_t n = call.problem.extents.x;
  const T* w = call.array<const T>(0);
  T* state = static_cast<T*>(call.state);
  const Matrix<T> d{call.array<T>(1), n}, among{state, tile}, onward{state + tile * tile, n};
  const Matrix<const T> from{d.data, n}, known{among.data, tile}, ahead{onward.data, n};
  for_each(n, [=](std::int64_t i) { std::copy_n(w + i * n, n, d.at(i, 0)); });
  for (std::int64_t k = 0; k < n; k += tile) {
    const std::int64_t count = std::min(tile, n - k);
    close(count, from, k, among);
    for_each((count + rows - 1) / rows, [=](std::int64_t group) {
      const std::int64_t i = group * rows;
      go_on(n, count, std::min<std::int64_t>(rows, count - i), from, k, i, known, onward);
    });
    for_each((n + band - 1) / band,
             [=](std::int64_t index) { relax_band(n, count, k, index * band, known, ahead, d); });
  }
}

inline std::int64_t workspace(const Problem& p, const int*) {
  const std::int64_t bytes =
      (tile * tile + tile * p.extents.x) * static_cast<std::int64_t>(element_size(p.type));
  return (bytes + 63) / 64 * 64;
}

inline Variant blocked_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.workspace = workspace;
  variant.prepare = [](const Call& call, void** state) -> const char* {
    *state = std::aligned_alloc(64, static_cast<std::size_t>(workspace(call.problem, nullptr)));
    return *state ? nullptr : "no host memory for the paths of a block of 64 vertices";
  };
  variant.release = [](void* state) { std::free(state); };
  return variant;
}

}  // namespace sextant::floyd_warshall
