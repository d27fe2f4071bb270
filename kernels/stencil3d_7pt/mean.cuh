// The mean of a point and its six face neighbours, in the order of additions of loop.hpp.
#pragma once

#include "toolbox/cuda/vector.cuh"

namespace sextant::stencil3d_7pt {

template <typename T>
__device__ __forceinline__ T mean(T left, T right, T up, T down, T front, T back, T own) {
  return static_cast<T>(1.0 / 7.0) * (((left + right) + (up + down)) + ((front + back) + own));
}

}  // namespace sextant::stencil3d_7pt
