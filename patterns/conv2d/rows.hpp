// Computes rows of the result on the host: vectorized inside the grid, point by point near the left and right
// boundaries.
#pragma once

#include "loop.hpp"
#include "toolbox/host/vector_bytes.hpp"

namespace sextant::conv2d {

// Row j of y. first() to last() - 1 are the rows of w that meet rows of x inside the grid. `static` gives
// each variant its own copy, compiled with that variant's flags.
template <typename T>
struct Row {
  std::int64_t n, R, j;
  const T *x, *w;
  T* y;

  std::int64_t first() const { return std::max<std::int64_t>(0, R - j); }
  std::int64_t last() const { return std::min(2 * R + 1, n + R - j); }
  const T* weights(std::int64_t b) const { return w + b * (2 * R + 1); }
  const T* above(std::int64_t b) const { return x + (j + b - R) * n; }
};

// Computes `vectors` vectors of points from column i on, with the sums in registers. The points are at least
// R away from the left and right boundaries.
template <int vectors, typename T>
static inline void sum_points(const Row<T>& row, std::int64_t i) {
  typedef T Vector __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  constexpr std::int64_t lanes = vector_bytes / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t width = 2 * row.R + 1;
  Vector sums[vectors] = {};
  for (std::int64_t b = row.first(); b < row.last(); ++b) {
    const T *weight = row.weights(b), *from = row.above(b) + i - row.R;
    for (std::int64_t a = 0; a < width; ++a)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v)
        sums[v] += weight[a] * *reinterpret_cast<const Vector*>(from + a + v * lanes);
  }
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v)
    *reinterpret_cast<Vector*>(row.y + row.j * row.n + i + v * lanes) = sums[v];
}

template <typename T>
static inline void sum_point(const Row<T>& row, std::int64_t i) {
  const std::int64_t first = std::max<std::int64_t>(0, row.R - i),
                     last = std::min(2 * row.R + 1, row.n + row.R - i);
  T sum = 0;
  for (std::int64_t b = row.first(); b < row.last(); ++b)
    for (std::int64_t a = first; a < last; ++a) sum += row.weights(b)[a] * row.above(b)[i + a - row.R];
  row.y[row.j * row.n + i] = sum;
}

// Computes points `from` to `to` - 1 of a row, anywhere in the grid. The last vector of inner points ends at
// the last inner point, so it may compute some points twice.
template <typename T>
static void points(const Row<T>& row, std::int64_t from, std::int64_t to) {
  constexpr std::int64_t lanes = vector_bytes / static_cast<std::int64_t>(sizeof(T));
  constexpr int together = 8;  // vectors per step; their sums take half of the registers
  const std::int64_t left = std::clamp<std::int64_t>(row.R, from, to),
                     right = std::clamp<std::int64_t>(row.n - row.R, left, to);
  for (std::int64_t i = from; i < left; ++i) sum_point(row, i);
  std::int64_t i = left;
  for (; i + together * lanes <= right; i += together * lanes) sum_points<together>(row, i);
  if (right - left >= lanes) {
    for (; i + lanes <= right; i += lanes) sum_points<1>(row, i);
    if (i < right) sum_points<1>(row, right - lanes);
    i = right;
  }
  for (; i < to; ++i) sum_point(row, i);
}

}  // namespace sextant::conv2d
