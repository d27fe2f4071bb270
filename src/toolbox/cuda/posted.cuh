// Doubles that blocks send each other, of any value, with what says that they have come: no flag and no
// fence. (tagged.cuh has the same in half the bytes, for values below 2.)
#pragma once

#include <cuda_runtime.h>

namespace sextant {

// Half of a double with the number of the round that it belongs to, in one word, which is written and read
// whole; both halves are one access.
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
