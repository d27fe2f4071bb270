// tridiagonal: solves many tridiagonal systems of equations, stored one after the other.
//
//     a[j] x[j-1] + b[j] x[j] + c[j] x[j+1] = d[j] for j = 0 … length-1 of each system, where
//     a[0] = c[length-1] = 0:
//
//     for (j = 0; j < length; ++j) {
//       r = 1 / (b[j] - a[j] * gamma[j-1]);
//       gamma[j] = c[j] * r;
//       x[j] = (d[j] - a[j] * x[j-1]) * r;
//     }
//     for (j = length - 2; j >= 0; --j) x[j] = x[j] - gamma[j] * x[j+1];
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/variant.hpp"

#ifdef __CUDACC__
  #define SEXTANT_TRIDIAGONAL_INLINE __host__ __device__ __forceinline__
  #define SEXTANT_TRIDIAGONAL_UNROLL _Pragma("unroll")
#else
  #define SEXTANT_TRIDIAGONAL_INLINE inline __attribute__((always_inline))
  #define SEXTANT_TRIDIAGONAL_UNROLL _Pragma("GCC unroll 16")
#endif

namespace sextant::tridiagonal {

// Unknowns per system: the parameter `length`, but at most extents.x, the number of elements of an array.
constexpr std::int64_t length_of(const Problem& problem) {
  return std::min(problem.parameters[0], problem.extents.x);
}
constexpr std::int64_t systems_of(const Problem& problem) {
  return length_of(problem) == 0 ? 0 : problem.extents.x / length_of(problem);
}

// Solves one system by the Thomas algorithm: elimination, then back substitution. gamma is a workspace of
// `length` elements.
template <typename T>
SEXTANT_TRIDIAGONAL_INLINE void solve(std::int64_t length, const T* a, const T* b, const T* c, const T* d,
                                      T* gamma, T* x) {
  T gamma_before = 0, x_before = 0;
  for (std::int64_t j = 0; j < length; ++j) {
    const T below = a[j];
    const T r = 1 / (b[j] - below * gamma_before);
    gamma_before = c[j] * r;
    x_before = (d[j] - below * x_before) * r;
    gamma[j] = gamma_before;
    x[j] = x_before;
  }
  for (std::int64_t j = length - 2; j >= 0; --j) {
    x_before = x[j] - gamma[j] * x_before;
    x[j] = x_before;
  }
}

// `static`: each including source file compiles its own copy with its own compiler flags. The state is a
// workspace of one system's length.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t length = length_of(call.problem), systems = systems_of(call.problem);
  for (std::int64_t s = 0; s < systems; ++s) {
    const std::int64_t first = s * length;
    solve(length, call.array<const T>(0) + first, call.array<const T>(1) + first,
          call.array<const T>(2) + first, call.array<const T>(3) + first, static_cast<T*>(call.state),
          call.array<T>(4) + first);
  }
}

}  // namespace sextant::tridiagonal
