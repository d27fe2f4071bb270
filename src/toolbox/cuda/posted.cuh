// Doubles that blocks send to each other together with a round number, so that no flag or fence is needed.
// (tagged.cuh needs half the bytes, but only for magnitudes below 2.)
#pragma once

#include <cuda_runtime.h>

namespace sextant {

// A double in two words. Each word holds half of its bits and the round number, and is accessed atomically.
struct alignas(16) Posted {
  unsigned long long low, high;
};

__device__ __forceinline__ void post(Posted* to, double value, unsigned round) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
  const unsigned long long tag = static_cast<unsigned long long>(round) << 32;
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"((bits & 0xffffffffULL) | tag),
               "l"((bits >> 32) | tag)
               : "memory");
}

__device__ __forceinline__ bool peek(const Posted* from, unsigned round, double& value) {
  unsigned long long low, high;
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(low), "=l"(high) : "l"(from) : "memory");
  value = __longlong_as_double(static_cast<long long>((low & 0xffffffffULL) | (high << 32)));
  return static_cast<unsigned>(low >> 32) == round && static_cast<unsigned>(high >> 32) == round;
}

}  // namespace sextant
