// needleman_wunsch: global alignment scores of all prefixes of two sequences of n letters. Two equal letters
// score 2, two different letters -1, and a gap -2.
//
//     for (j = 0; j <= n; ++j) H[0][j] = -2 * j;
//     for (i = 1; i <= n; ++i) {
//       H[i][0] = -2 * i;
//       for (j = 1; j <= n; ++j)
//         H[i][j] = max(H[i-1][j-1] + (a[i-1] == b[j-1] ? 2 : -1), H[i-1][j] - 2, H[i][j-1] - 2);
//     }
#pragma once

#include <cstdint>

#include "suite/variant.hpp"

#ifdef __CUDACC__
  #define SEXTANT_ALIGNMENT_INLINE __host__ __device__ __forceinline__
#else
  #define SEXTANT_ALIGNMENT_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::needleman_wunsch {

template <typename T>
SEXTANT_ALIGNMENT_INLINE T larger(T a, T b) {
  return a < b ? b : a;
}

// Computes H[i][j] for i, j >= 1. The rows of H have n + 1 elements.
template <typename T>
SEXTANT_ALIGNMENT_INLINE T cell(std::int64_t n, std::int64_t i, std::int64_t j, T a, T b, const T* h) {
  const T* here = h + i * (n + 1) + j;
  const T both = here[-(n + 1) - 1] + (a == b ? T(2) : T(-1));
  const T above = here[-(n + 1)] - T(2);
  const T left = here[-1] - T(2);
  return larger(both, larger(above, left));
}

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* h = call.array<T>(2);
  for (std::int64_t j = 0; j <= n; ++j) h[j] = static_cast<T>(-2 * j);
  for (std::int64_t i = 1; i <= n; ++i) {
    const T letter = a[i - 1];
    h[i * (n + 1)] = static_cast<T>(-2 * i);
    for (std::int64_t j = 1; j <= n; ++j) h[i * (n + 1) + j] = cell(n, i, j, letter, T(b[j - 1]), h);
  }
}

}  // namespace sextant::needleman_wunsch
