// cholesky: factors a symmetric positive definite matrix A = L L^T, where L is lower triangular. Elements of
// L above the diagonal are set to 0.
//
//     for (j = 0; j < n; ++j) {
//       for (i = j; i < n; ++i) L[i][j] = A[i][j] - sum over k < j of L[i][k] * L[j][k];
//       L[j][j] = sqrt(L[j][j]);
//       for (i = j + 1; i < n; ++i) L[i][j] = L[i][j] / L[j][j];
//     }
//
// The serial loop below computes the same row by row.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "suite/variant.hpp"

namespace sextant::cholesky {

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  using std::sqrt;
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* l = call.array<T>(1);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      T sum = a[i * n + j];
      for (std::int64_t k = 0; k < j; ++k) sum = sum - l[i * n + k] * l[j * n + k];
      l[i * n + j] = j < i ? sum / l[j * n + j] : T(sqrt(sum));
    }
    for (std::int64_t j = i + 1; j < n; ++j) l[i * n + j] = 0;
  }
}

}  // namespace sextant::cholesky
