// What no CUDA function hands out: the special-function unit's estimate, and values that stay in registers.
#pragma once

#include <cuda_runtime.h>

namespace sextant {

// 1/sqrt(v) for normal v > 0 to some 20 bits (PTX ISA, rsqrt.approx.ftz.f64: it sees the high word alone and
// leaves the low one 0); NaN for negative v.
__device__ __forceinline__ double reciprocal_root_estimate(double v) {
  double estimate;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(estimate) : "d"(v));
  return estimate;
}

// The value itself, in a register: what the compiler knows, an address or a constant, it makes anew in every
// turn of a loop, instruction by instruction. All threads of the warp must take part.
template <typename T>
__device__ __forceinline__ T held(T value) {
  return __shfl_sync(~0u, value, static_cast<int>(threadIdx.x % 32));
}

// Two neighbouring doubles at an address in shared memory that is a multiple of 16, in one access. Nothing
// but the address holds it in its place: make that (by held) after the barrier that the doubles wait for.
__device__ __forceinline__ double2 load_shared(unsigned address) {
  double2 pair;
  asm("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(pair.x), "=d"(pair.y) : "r"(address));
  return pair;
}
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

}  // namespace sextant
