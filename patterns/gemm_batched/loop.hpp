// gemm_batched: products of many small square matrices, stored one after another in row-major order.
//
//     for (b = 0; b < batches; ++b)
//       for (i = 0; i < m; ++i)
//         for (j = 0; j < m; ++j) {
//           C[b][i][j] = 0;
//           for (k = 0; k < m; ++k) C[b][i][j] += A[b][i][k] * B[b][k][j];
//         }
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/extents.hpp"
#include "suite/variant.hpp"

namespace sextant::gemm_batched {

// The side length m of a matrix: the parameter `size`, or less if not even one matrix of this size fits.
// extents.x is the number of elements of an array.
inline std::int64_t size_of(const Problem& problem) {
  return std::min(problem.parameters[0], square_root(problem.extents.x));
}
inline std::int64_t batches_of(const Problem& problem) {
  const std::int64_t m = size_of(problem);
  return m == 0 ? 0 : problem.extents.x / (m * m);
}

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t batches = batches_of(call.problem), m = size_of(call.problem);
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  for (std::int64_t batch = 0; batch < batches; ++batch, a += m * m, b += m * m, c += m * m)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < m; ++j) {
        T sum = 0;
        for (std::int64_t k = 0; k < m; ++k) sum += a[i * m + k] * b[k * m + j];
        c[i * m + j] = sum;
      }
}

}  // namespace sextant::gemm_batched
