// Reciprocal square root by multiplications and additions. It vectorizes on any processor. On GPUs used
// through OpenACC or OpenMP it replaces a slower root and division.
#pragma once

#include <bit>
#include <cstdint>

#include "loop.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::nbody {

// Reciprocal square root by Newton's method ("fast inverse square root"). The start value is computed from
// the bits of x and has a relative error of at most 3.5 %. Each step turns a relative error e into 1.5 e^2.
struct NewtonRoot {
  static SEXTANT_INLINE float reciprocal_root(float x) {
    return steps<3>(-x / 2, std::bit_cast<float>(0x5f3759dfu - (std::bit_cast<std::uint32_t>(x) >> 1)));
  }
  static SEXTANT_INLINE double reciprocal_root(double x) {
    return steps<4>(-x / 2, std::bit_cast<double>(std::uint64_t{0x5fe6eb50c7b537a9} -
                                                  (std::bit_cast<std::uint64_t>(x) >> 1)));
  }

 private:
  template <int count, typename T>
  static SEXTANT_INLINE T steps(T minus_half, T y) {
    if constexpr (count == 0)
      return y;
    else
      return steps<count - 1>(minus_half, y * (minus_half * (y * y) + static_cast<T>(1.5)));
  }
};

// Computes the acceleration of body i by all bodies, vectorized. `static`: each including source file
// compiles its own copy with its own compiler flags.
template <typename Root, typename T>
static inline void attract_one(std::int64_t n, const Bodies<T>& all, std::int64_t i) {
  const T *x = all.x, *y = all.y, *z = all.z,
          *m = all.m;  // local copies, because GCC 12 does not vectorize float loads through `all`
  const T x_of = x[i], y_of = y[i], z_of = z[i];
  T ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
  for (std::int64_t j = 0; j < n; ++j) pull<Root>(x[j] - x_of, y[j] - y_of, z[j] - z_of, m[j], ax, ay, az);
  all.ax[i] = ax;
  all.ay[i] = ay;
  all.az[i] = az;
}

// Register blocking: computes the accelerations of up to `count` neighbouring bodies, starting with body i.
// Each attracting body is read once for all of them.
template <int count, typename T>
SEXTANT_INLINE void attract_some(std::int64_t n, std::int64_t i, const T* x, const T* y, const T* z,
                                 const T* m, T* ax, T* ay, T* az) {
  T x_of[count], y_of[count], z_of[count], to_x[count], to_y[count], to_z[count];
#pragma GCC unroll 8
  for (int b = 0; b < count; ++b) {
    const std::int64_t at = i + b < n ? i + b : n - 1;
    x_of[b] = x[at], y_of[b] = y[at], z_of[b] = z[at];
    to_x[b] = to_y[b] = to_z[b] = 0;
  }
  for (std::int64_t j = 0; j < n; ++j) {
    const T other_x = x[j], other_y = y[j], other_z = z[j], mass = m[j];
#pragma GCC unroll 8
    for (int b = 0; b < count; ++b)
      pull<NewtonRoot>(other_x - x_of[b], other_y - y_of[b], other_z - z_of[b], mass, to_x[b], to_y[b],
                       to_z[b]);
  }
#pragma GCC unroll 8
  for (int b = 0; b < count; ++b)
    if (i + b < n) ax[i + b] = to_x[b], ay[i + b] = to_y[b], az[i + b] = to_z[b];
}

}  // namespace sextant::nbody
