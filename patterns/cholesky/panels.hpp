// Right-looking Cholesky factorization in panels of 32 columns, for OpenACC and OpenMP offload. Within a
// panel there is one region per column. One more region updates the remaining matrix with the panel's
// products. The square roots of the diagonal are taken at the end, because other rows still read the values
// before the root.
#pragma once

#include <cmath>

#include "loop.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::cholesky {

inline constexpr std::int64_t panel = 32;
inline constexpr int cell = 4;  // each thread updates cell x cell elements of the remaining matrix

// Returns L[j][j]^2, where the panel that contains column j starts at column k.
template <typename T>
SEXTANT_INLINE T square_of(std::int64_t n, const T* l, std::int64_t k, std::int64_t j) {
  T square = l[j * n + j];
  for (std::int64_t p = k; p < j; ++p) square -= l[j * n + p] * l[j * n + p];
  return square;
}

template <typename T>
SEXTANT_INLINE void factor_element(std::int64_t n, std::int64_t k, std::int64_t j, std::int64_t i, T* l) {
  T sum = l[i * n + j];
  for (std::int64_t p = k; p < j; ++p) sum -= l[i * n + p] * l[j * n + p];
  l[i * n + j] = sum / std::sqrt(square_of(n, l, k, j));
}

// The number of cells per side of the remaining matrix, which has `left` rows. Cells above the diagonal have
// no work.
SEXTANT_INLINE std::int64_t cells_across(std::int64_t left) { return (left + cell - 1) / cell; }

// Updates the cell at (i, j) with the products of columns k to end - 1, where i, j >= end.
template <typename T>
SEXTANT_INLINE void subtract_cell(std::int64_t n, std::int64_t k, std::int64_t end, std::int64_t i,
                                  std::int64_t j, T* l) {
  if (j > i) return;
  T sums[cell * cell];
#pragma GCC unroll 16
  for (int e = 0; e < cell * cell; ++e) sums[e] = 0;
  for (std::int64_t p = k; p < end; ++p) {
    T of_i[cell], of_j[cell];
#pragma GCC unroll 4
    for (int e = 0; e < cell; ++e) {
      of_i[e] = l[(i + e < n ? i + e : n - 1) * n + p];
      of_j[e] = l[(j + e < n ? j + e : n - 1) * n + p];
    }
#pragma GCC unroll 16
    for (int e = 0; e < cell * cell; ++e) sums[e] += of_i[e / cell] * of_j[e % cell];
  }
#pragma GCC unroll 16
  for (int e = 0; e < cell * cell; ++e)
    if (i + e / cell < n && j + e % cell <= i + e / cell) l[(i + e / cell) * n + j + e % cell] -= sums[e];
}

}  // namespace sextant::cholesky
