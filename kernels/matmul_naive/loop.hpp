// matmul_naive: C = A*B for row-major n x n matrices of N/3 elements each. The plain loop is the textbook's:
// one dot product per element, with B accessed down its columns.
//
//     for (i = 0; i < n; ++i)
//       for (j = 0; j < n; ++j) {
//         C[i][j] = 0;
//         for (k = 0; k < n; ++k) C[i][j] += A[i][k] * B[k][j];
//       }
#pragma once

#include "suite/variant.hpp"

namespace sextant::matmul_naive {

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

}  // namespace sextant::matmul_naive
