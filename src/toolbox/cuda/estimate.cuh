// PTX instructions for which CUDA has no function.
#pragma once

#include <cuda_runtime.h>

namespace sextant {

// Estimates 1/sqrt(v) for normal v > 0 to about 20 bits; NaN for negative v. The instruction reads only the
// high word and returns a zero low word (PTX ISA, rsqrt.approx.ftz.f64).
__device__ __forceinline__ double reciprocal_root_estimate(double v) {
  double estimate;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(estimate) : "d"(v));
  return estimate;
}

// Returns `value` and keeps it in a register. The compiler would recompute an address in every loop
// iteration, but it cannot recompute the result of a shuffle. The whole warp must call it.
template <typename T>
__device__ __forceinline__ T held(T value) {
  return __shfl_sync(~0u, value, static_cast<int>(threadIdx.x % 32));
}

// Loads two neighbouring doubles from shared memory in one access; the address must be a multiple of 16. The
// compiler may move this load across barriers. To order it after a barrier, compute the address by `held`
// after that barrier.
__device__ __forceinline__ double2 load_shared(unsigned address) {
  double2 pair;
  asm("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(pair.x), "=d"(pair.y) : "r"(address));
  return pair;
}
__device__ __forceinline__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

}  // namespace sextant
