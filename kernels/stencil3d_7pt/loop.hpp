// stencil3d_7pt: the mean of a point and its six face neighbours on an n x n x n grid, two arrays of N/2
// elements. The border is copied.
//
//     for (z = 0; z < n; ++z)
//       for (y = 0; y < n; ++y)
//         for (x = 0; x < n; ++x)
//           c[z][y][x] = on_border(z, y, x) ? b[z][y][x]
//                        : (b[z][y][x] + b[z][y][x-1] + b[z][y][x+1] + b[z][y-1][x] + b[z][y+1][x]
//                           + b[z-1][y][x] + b[z+1][y][x]) / 7;
#pragma once

#include "suite/variant.hpp"

namespace sextant::stencil3d_7pt {

// Returns the new value at interior point i of a grid with n elements per row.
template <typename T>
static constexpr T point(const T* b, std::int64_t n, std::int64_t i) {
  const std::int64_t plane = n * n;
  return static_cast<T>(1.0 / 7.0) *
         (((b[i - 1] + b[i + 1]) + (b[i - n] + b[i + n])) + ((b[i - plane] + b[i + plane]) + b[i]));
}

// Computes row y of plane z, including border points.
template <typename T>
static void row(const T* b, T* c, std::int64_t n, std::int64_t z, std::int64_t y) {
  const std::int64_t begin = (z * n + y) * n, end = begin + n;
  if (z == 0 || z == n - 1 || y == 0 || y == n - 1) {
    for (std::int64_t i = begin; i < end; ++i) c[i] = b[i];
    return;
  }
  c[begin] = b[begin];
#pragma omp simd
  for (std::int64_t i = begin + 1; i < end - 1; ++i) c[i] = point(b, n, i);
  c[end - 1] = b[end - 1];
}

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  for (std::int64_t z = 0; z < n; ++z)
    for (std::int64_t y = 0; y < n; ++y) row(call.array<const T>(0), call.array<T>(1), n, z, y);
}

}  // namespace sextant::stencil3d_7pt
