// nbody: the softened gravitational acceleration of each body, summed directly over all bodies.
//
//     for (i = 0; i < n; ++i) {
//       a = 0;
//       for (j = 0; j < n; ++j) {
//         d = position[j] - position[i];
//         r2 = d.x * d.x + d.y * d.y + d.z * d.z + 1/64;
//         a += m[j] / (r2 * sqrt(r2)) * d;
//       }
//       acceleration[i] = a;
//     }
#pragma once

#include <cmath>

#include "suite/variant.hpp"

#ifdef __CUDACC__
  #define SEXTANT_NBODY_INLINE __device__ __forceinline__
#else
  #define SEXTANT_NBODY_INLINE inline __attribute__((always_inline))
#endif

namespace sextant::nbody {

inline constexpr double softening = 1.0 / 64;

// The arrays of a call.
template <typename T>
struct Bodies {
  const T *x, *y, *z, *m;
  T *ax, *ay, *az;

  explicit Bodies(const Call& call)
      : x(call.array<const T>(0)),
        y(call.array<const T>(1)),
        z(call.array<const T>(2)),
        m(call.array<const T>(3)),
        ax(call.array<T>(4)),
        ay(call.array<T>(5)),
        az(call.array<T>(6)) {}
};

// Adds the acceleration caused by a body of mass m at distance (dx, dy, dz). `Root` provides
// reciprocal_root(r2). A body may be passed with itself: it adds nothing, and the softening avoids a division
// by 0.
template <typename Root, typename T>
SEXTANT_NBODY_INLINE void pull(T dx, T dy, T dz, T m, T& ax, T& ay, T& az) {
  const T r2 = dx * dx + (dy * dy + (dz * dz + static_cast<T>(softening)));
  const T inverse = Root::reciprocal_root(r2), factor = m * inverse * (inverse * inverse);
  ax += factor * dx;
  ay += factor * dy;
  az += factor * dz;
}

struct LibraryRoot {
  template <typename T>
  static SEXTANT_NBODY_INLINE T reciprocal_root(T x) {
    return 1 / std::sqrt(x);
  }
};

// `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T>
static void loop(const Call& call) {
  const Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
  for (std::int64_t i = 0; i < n; ++i) {
    T ax = 0, ay = 0, az = 0;
    for (std::int64_t j = 0; j < n; ++j)
      pull<LibraryRoot>(all.x[j] - all.x[i], all.y[j] - all.y[i], all.z[j] - all.z[i], all.m[j], ax, ay, az);
    all.ax[i] = ax;
    all.ay[i] = ay;
    all.az[i] = az;
  }
}

}  // namespace sextant::nbody
