// floyd_warshall: the shortest-path lengths d between all pairs of vertices, from the edge lengths w.
//
//     d = w;
//     for (k = 0; k < n; ++k)
//       for (i = 0; i < n; ++i)
//         for (j = 0; j < n; ++j) d[i][j] = min(d[i][j], d[i][k] + d[k][j]);
#pragma once

#include <cstdint>

#include "suite/variant.hpp"

#ifdef __CUDACC__
  #define SEXTANT_PATHS_INLINE __host__ __device__ __forceinline__
#else
  #define SEXTANT_PATHS_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::floyd_warshall {

// Marks "no path". The sum of two such values still fits in an int32.
inline constexpr std::int64_t far = std::int64_t{1} << 29;

template <typename T>
SEXTANT_PATHS_INLINE T smaller(T a, T b) {
  return b < a ? b : a;
}

// Updates row i by paths through vertex k: d[i][j] = min(d[i][j], d[i][k] + d[k][j]).
template <typename T>
SEXTANT_PATHS_INLINE void relax_row(std::int64_t n, std::int64_t k, std::int64_t i, T* d) {
  const T first = d[i * n + k];
  for (std::int64_t j = 0; j < n; ++j) {
    const T over = first + d[k * n + j];
    d[i * n + j] = smaller(T(d[i * n + j]), over);
  }
}

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* w = call.array<const T>(0);
  T* d = call.array<T>(1);
  for (std::int64_t at = 0; at < n * n; ++at) d[at] = w[at];
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t i = 0; i < n; ++i) relax_row(n, k, i, d);
}

}  // namespace sextant::floyd_warshall
