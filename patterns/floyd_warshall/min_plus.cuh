// The min-plus operation that the CUDA variants share.
#pragma once

#include <type_traits>

#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::floyd_warshall {

// Returns min(least, first + second). This is one instruction for integers since Hopper, two for float and
// four for double.
template <typename T>
__device__ __forceinline__ T relaxed(T least, T first, T second) {
  if constexpr (std::is_same_v<T, std::int32_t>)
    return __viaddmin_s32(first, second, least);
  else if constexpr (std::is_same_v<T, float>)
    return fminf(first + second, least);
  else
    return smaller(least, first + second);
}

}  // namespace sextant::floyd_warshall
