// Cholesky factorization in panels of 32 columns, for OpenACC and OpenMP offload. Within a panel there is one
// region per column. Then one region subtracts the panel's products from the whole remaining matrix. The
// square roots of diagonal elements are taken at the end, because every row of a column reads the values
// before the root.
#pragma once

#include <cmath>

#include "loop.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::cholesky {

inline constexpr std::int64_t panel = 32;
inline constexpr int cell = 4;  // each thread updates cell x cell elements of the remaining matrix

// The square of L[j][j], if the current panel starts at column k.
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

// Subtracts the contribution of columns k … end - 1 from the cell at (i, j), where i, j >= end.
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
