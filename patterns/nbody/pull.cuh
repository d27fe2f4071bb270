// What CUDA's forms share: roots by the special-function unit, and bodies in shared memory.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::nbody {

// The unit's value is right to 2 units in the last place of a float; of a double it is one to start with, from where a
// step of third order leads to the last place.
struct UnitRoot {
  static __device__ __forceinline__ float reciprocal_root(float x) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }
  static __device__ __forceinline__ double reciprocal_root(double x) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double rest = 1 - x * (y * y);
    return y + (y * rest) * (0.5 + 0.375 * rest);
  }
};

template <typename T>
struct alignas(16) Body {
  T x, y, z, m;
};

template <typename T>
struct Sum {
  T x, y, z;
};

// Body j, or one without mass where there is none.
template <typename T>
__device__ __forceinline__ Body<T> body_at(const Bodies<T>& all, int j, int n) {
  if (j < n) return {all.x[j], all.y[j], all.z[j], all.m[j]};
  return {0, 0, 0, 0};
}

template <typename T>
__device__ __forceinline__ void pull_by(const Body<T>& other, const Body<T>& body, Sum<T>& sum) {
  pull<UnitRoot>(other.x - body.x, other.y - body.y, other.z - body.z, other.m, sum.x, sum.y, sum.z);
}

template <typename T>
__device__ __forceinline__ void store(const Bodies<T>& all, int i, int n, const Sum<T>& sum) {
  if (i >= n) return;
  all.ax[i] = sum.x;
  all.ay[i] = sum.y;
  all.az[i] = sum.z;
}

// The sum over the block's threads of equal `thread % group`, in the threads below `group`; in the order of a tree, so always the
// same. `scratch` holds an element for each thread; block / group is a power of two.
template <typename T>
__device__ __forceinline__ T sum_over_parts(T value, int group, T* scratch) {
  const int thread = static_cast<int>(threadIdx.x);
  __syncthreads();
  scratch[thread] = value;
  for (int half = static_cast<int>(blockDim.x) / 2; half >= group; half /= 2) {
    __syncthreads();
    if (thread < half) scratch[thread] += scratch[thread + half];
  }
  return scratch[thread];
}

template <typename T>
__device__ __forceinline__ Sum<T> sum_over_parts(const Sum<T>& sum, int group, T* scratch) {
  return {sum_over_parts(sum.x, group, scratch), sum_over_parts(sum.y, group, scratch),
          sum_over_parts(sum.z, group, scratch)};
}

}  // namespace sextant::nbody
