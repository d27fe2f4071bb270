// Loads of data that are not read again soon, so that the L2 cache evicts them first.
#pragma once

#include "toolbox/cuda/vector.cuh"

namespace sextant {

// Loads 16 bytes and marks the line in the L2 cache so that it is evicted first.
template <int length, typename T>
__device__ __forceinline__ Vector<T, length> load_leaving_first(const T* from) {
  static_assert(length * sizeof(T) == 16);
  unsigned long long leaves_first;
  uint4 bits;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(leaves_first));
  asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
               : "l"(from), "l"(leaves_first));
  return reinterpret_cast<const Vector<T, length>&>(bits);
}

}  // namespace sextant
