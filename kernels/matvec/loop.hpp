// matvec: y = A*x with a row-major n x n matrix; n*n + 2*n = N elements in total.
//
//     for (i = 0; i < n; ++i) {
//       y[i] = 0;
//       for (j = 0; j < n; ++j) y[i] += A[i][j] * x[j];
//     }
#pragma once

#include "suite/variant.hpp"

namespace sextant::matvec {

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* x = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

}  // namespace sextant::matvec
