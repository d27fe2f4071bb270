// For OpenACC and OpenMP offload: one thread computes several neighbouring elements of a row of C in
// registers.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::gemm_batched {

using Columns = Choices<4, 8, 16>;

// Computes `columns` elements of a row of C from column j on, or fewer at the end of the row. Matrices are m
// x m. `a` points to the start of A's row. If `width` > 1, m must be a multiple of `width` and of `columns`.
template <int columns, int width, typename T>
SEXTANT_INLINE void multiply_cell(int m, int j, const T* a, const T* b, T* c) {
  T sums[columns];
#pragma GCC unroll 16
  for (int e = 0; e < columns; ++e) sums[e] = 0;
  for (int k = 0; k < m; ++k) {
    const T factor = a[k];
#pragma GCC unroll 16
    for (int e = 0; e < columns; e += width) {
      T pack[width];
      openacc::load<width>(b + k * m + (width > 1 || j + e < m ? j + e : m - 1), pack);
      for (int q = 0; q < width; ++q) sums[e + q] += factor * pack[q];
    }
  }
#pragma GCC unroll 16
  for (int e = 0; e < columns; e += width)
    if (width > 1 || j + e < m) openacc::store<width>(c + j + e, sums + e);
}

// Calls function.template operator()<columns, width>(). `width` is the number of elements per 16-byte pack if
// m is a multiple of `columns`, otherwise 1.
template <typename T, typename Function>
void with_columns(int columns, const Problem& problem, Function&& function) {
  Columns::with(columns, [&]<int width_of_cell>() {
    if (size_of(problem) % width_of_cell == 0)
      function.template operator()<width_of_cell, openacc::pack_width<T>>();
    else
      function.template operator()<width_of_cell, 1>();
  });
}

// Returns the smallest selectable number of columns that covers a whole row, or 16 for longer rows.
inline int columns_for(const Problem& problem) {
  const std::int64_t m = size_of(problem);
  return m <= 4 ? 4 : m <= 8 ? 8 : 16;
}

}  // namespace sextant::gemm_batched
