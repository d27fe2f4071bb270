// C = A*B with a block of C in each thread's registers: the OpenACC form of matmul that GCC compiles well.
// For one source file only: an offloaded template function that two of them instantiate is not safe from GCC
// 12's offload linker (docs/openacc.md).
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

inline constexpr int columns_of_threads = 16;  // threads side by side along C's rows

// Columns of C that a block of threads computes.
template <int groups, int width>
inline constexpr int block_columns = columns_of_threads* groups* width;

// n x n matrices in rows, n >= rows_ and n >= block_columns. A thread computes `rows_` rows by `groups`
// groups of `width` columns, and takes `depth` columns of A at a time: the width, or where that is 1 any
// number. Threads beside each other read the same elements of A (one broadcast for all) and neighbouring
// packs of B. Blocks that would reach past the edge are moved back inside: they compute some elements a
// second time, to the same bits, and need no conditions.
template <typename T, int threads, int rows_, int groups, int width, int depth>
void multiply_blocks(std::int64_t n, const T* a, const T* b, T* c) {
  constexpr int thread_rows = threads / columns_of_threads, apart = columns_of_threads * width;
  const int blocks_i = static_cast<int>((n + rows_ * thread_rows - 1) / (rows_ * thread_rows));
  const int blocks_j =
      static_cast<int>((n + block_columns<groups, width> - 1) / block_columns<groups, width>);
  const int gangs = gangs_for(std::int64_t{blocks_i} * blocks_j * threads, threads);
#pragma acc parallel loop gang(static : 1) vector collapse(4) present(a [0:n * n], b [0:n * n], c [0:n * n]) \
    vector_length(threads) num_gangs(gangs)
  for (int block_i = 0; block_i < blocks_i; ++block_i)
    for (int block_j = 0; block_j < blocks_j; ++block_j)
      for (int thread_i = 0; thread_i < thread_rows; ++thread_i)
        for (int thread_j = 0; thread_j < columns_of_threads; ++thread_j) {
          std::int64_t i = (std::int64_t{block_i} * thread_rows + thread_i) * rows_;
          if (i > n - rows_) i = n - rows_;
          std::int64_t j = std::int64_t{block_j} * block_columns<groups, width>;
          if (j > n - block_columns<groups, width>) j = n - block_columns<groups, width>;
          j += thread_j * width;
          T sums[rows_][groups * width];
#pragma GCC unroll 16
          for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 16
            for (int q = 0; q < groups * width; ++q) sums[r][q] = 0;
          const T *from_a = a + i * n, *from_b = b + j;
          std::int64_t k = 0;
          for (; k + depth <= n; k += depth) {
            T x[rows_][depth];
#pragma GCC unroll 16
            for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 8
              for (int d = 0; d < depth; d += width) load<width>(from_a + r * n + d, &x[r][d]);
#pragma GCC unroll 8
            for (int d = 0; d < depth; ++d) {
              T y[groups * width];
#pragma GCC unroll 16
              for (int g = 0; g < groups; ++g) load<width>(from_b + d * n + g * apart, y + g * width);
#pragma GCC unroll 16
              for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 16
                for (int q = 0; q < groups * width; ++q) sums[r][q] += x[r][d] * y[q];
            }
            from_a += depth;
            from_b += depth * n;
          }
          if constexpr (depth > width)  // else the depth divides n, as the width does
            for (; k < n; ++k) {
#pragma GCC unroll 16
              for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 16
                for (int g = 0; g < groups; ++g) sums[r][g] += from_a[r * n] * from_b[g * apart];
              ++from_a;
              from_b += n;
            }
#pragma GCC unroll 16
          for (int r = 0; r < rows_; ++r)
#pragma GCC unroll 16
            for (int g = 0; g < groups; ++g)
              store<width>(c + (i + r) * n + j + g * apart, &sums[r][g * width]);
        }
}

// Any n: one element a thread.
template <typename T>
void multiply_small(int n, const T* a, const T* b, T* c) {
  const int count = n * n;
#pragma acc parallel loop gang vector collapse(2) present(a [0:count], b [0:count], c [0:count]) \
    vector_length(128)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

}  // namespace sextant::openacc
