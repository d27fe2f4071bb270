// heat3d_r<R>: `steps` explicit steps of the heat equation on a box of nx x ny x nz points (x fastest,
// v[z][y][x]). It uses a star stencil of radius R = 1 … 4 (7, 13, 19, 25 points). The boundary consists of
// the outermost R points on each side and never changes.
//
//     for (step = 0; step < steps; ++step, u = v)
//       for (z = 0; z < nz; ++z)
//         for (y = 0; y < ny; ++y)
//           for (x = 0; x < nx; ++x)
//             v[z][y][x] = in_rim(z, y, x) ? u[z][y][x]
//                        : c[0] * u[z][y][x] + sum over k = 1 … R of
//                          c[k] * (u[z][y][x-k] + u[z][y][x+k] + u[z][y-k][x] + u[z][y+k][x] +
//                                  u[z-k][y][x] + u[z+k][y][x]);
//
// With per_point=1 each of the six neighbours has its own coefficient c[direction][k].
#pragma once

#include "steps.hpp"

namespace sextant::heat3d {

// Returns the new value at index i, which is not on the boundary. `row` and `plane` are the distances between
// rows and planes in elements. The function is always inlined, because OpenACC devices would have no
// out-of-line copy of it.
template <int radius, Weights weights, typename T>
[[gnu::always_inline]] static constexpr T point(const T* u, std::int64_t row, std::int64_t plane,
                                                std::int64_t i) {
  if constexpr (weights == Weights::by_point) {
    constexpr PointCoefficients<radius, T> c;
    T sum = c.centre * u[i];
#pragma GCC unroll 4
    for (int k = 1; k <= radius; ++k)
      sum += ((c.at[0][k] * u[i - k] + c.at[1][k] * u[i + k]) +
              (c.at[2][k] * u[i - k * row] + c.at[3][k] * u[i + k * row])) +
             (c.at[4][k] * u[i - k * plane] + c.at[5][k] * u[i + k * plane]);
    return sum;
  } else {
    constexpr Coefficients<radius, T> c;
    T sum = c.at[0] * u[i];
#pragma GCC unroll 4
    for (int k = 1; k <= radius; ++k)
      sum += c.at[k] * (((u[i - k] + u[i + k]) + (u[i - k * row] + u[i + k * row])) +
                        (u[i - k * plane] + u[i + k * plane]));
    return sum;
  }
}

// Updates row y of plane z, boundary points included.
template <int radius, Weights weights, typename T>
static void update_row(const T* u, T* v, const Extents& box, std::int64_t z, std::int64_t y) {
  const std::int64_t begin = (z * box.y + y) * box.x, end = begin + box.x, plane = box.x * box.y;
  const bool rim = in_rim<radius>(z, box.z) || in_rim<radius>(y, box.y) || box.x <= 2 * radius;
  const std::int64_t first = rim ? end : begin + radius, last = rim ? end : end - radius;
  for (std::int64_t i = begin; i < first; ++i) v[i] = u[i];
#pragma omp simd
  for (std::int64_t i = first; i < last; ++i) v[i] = point<radius, weights>(u, box.x, plane, i);
  for (std::int64_t i = last; i < end; ++i) v[i] = u[i];
}

// The loop is `static` so that each variant compiles its own copy of it with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const Extents& box = call.problem.extents;
  sweep_steps(call, static_cast<T*>(call.state), [&]<int radius, Weights weights>(const T* from, T* to) {
    for (std::int64_t z = 0; z < box.z; ++z)
      for (std::int64_t y = 0; y < box.y; ++y) update_row<radius, weights>(from, to, box, z, y);
  });
}

}  // namespace sextant::heat3d
