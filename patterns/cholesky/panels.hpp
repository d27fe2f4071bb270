// Panels of 32 columns for compilers that offload: within a panel column by column, a region each; then one
// region takes the panel's products off all that is left. Elements of the diagonal stay what their roots are
// taken of until the end, as every row of a column reads them.
#pragma once

#include <cmath>

#include "loop.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::cholesky {

inline constexpr std::int64_t panel = 32;
inline constexpr int cell = 4;  // rows and columns of a thread's part of what is left

// What the root of L[j][j] is taken of, in the panel from column k on.
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

// Cells of a triangle of `left` rows, by rows of cells: all of a square, those above the diagonal without
// work.
SEXTANT_INLINE std::int64_t cells_across(std::int64_t left) { return (left + cell - 1) / cell; }

// Takes the products of columns k … end - 1 off a cell at (i, j), both at least end.
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
