// One small matrix product on the host with vector instructions.
#pragma once

#include "loop.hpp"

namespace sextant::gemm_batched {

inline constexpr int block_rows = 4, block_columns = 32;

// Computes a block of `rows` x `columns` elements of C, with the sums in registers. The matrices are m x m.
template <int rows, int columns, typename T>
static void block(std::int64_t m, const T* a, const T* b, T* c) {
  T sums[rows][columns] = {};
  for (std::int64_t k = 0; k < m; ++k)
#pragma GCC unroll 4
    for (int i = 0; i < rows; ++i)
#pragma omp simd
      for (int j = 0; j < columns; ++j) sums[i][j] += a[i * m + k] * b[k * m + j];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) c[i * m + j] = sums[i][j];
}

template <int columns, typename T>
static void block_column(std::int64_t m, const T* a, const T* b, T* c) {
  std::int64_t i = 0;
  for (; i + block_rows <= m; i += block_rows) block<block_rows, columns>(m, a + i * m, b, c + i * m);
  for (; i < m; ++i) block<1, columns>(m, a + i * m, b, c + i * m);
}

// Computes C = A*B in blocks of 32, 8, 4 or 1 columns, the widest that fit.
template <typename T>
static void multiply(std::int64_t m, const T* a, const T* b, T* c) {
  std::int64_t j = 0;
  for (; j + block_columns <= m; j += block_columns) block_column<block_columns>(m, a, b + j, c + j);
  for (; j + 8 <= m; j += 8) block_column<8>(m, a, b + j, c + j);
  for (; j + 4 <= m; j += 4) block_column<4>(m, a, b + j, c + j);
  for (; j < m; ++j) block_column<1>(m, a, b + j, c + j);
}

}  // namespace sextant::gemm_batched
