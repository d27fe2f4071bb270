// stencil2d_4pt: the mean of the four edge neighbours on an n x n grid, two arrays of N/2 elements. The
// border is copied.
//
//     for (y = 0; y < n; ++y)
//       for (x = 0; x < n; ++x)
//         c[y][x] = on_border(y, x) ? b[y][x] : (b[y][x-1] + b[y][x+1] + b[y-1][x] + b[y+1][x]) / 4;
#pragma once

#include "suite/variant.hpp"

namespace sextant::stencil2d_4pt {

// Returns the new value at interior point i of a grid with n elements per row.
template <typename T>
static constexpr T point(const T* b, std::int64_t n, std::int64_t i) {
  return static_cast<T>(0.25) * ((b[i - 1] + b[i + 1]) + (b[i - n] + b[i + n]));
}

// Computes row y, including border points.
template <typename T>
static void row(const T* b, T* c, std::int64_t n, std::int64_t y) {
  const std::int64_t begin = y * n, end = begin + n;
  if (y == 0 || y == n - 1) {
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
  for (std::int64_t y = 0; y < n; ++y) row(call.array<const T>(0), call.array<T>(1), n, y);
}

}  // namespace sextant::stencil2d_4pt
