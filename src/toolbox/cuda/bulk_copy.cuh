// Asynchronous bulk copies from global to shared memory (cp.async.bulk, compute capability 9.0), and the
// barriers in shared memory that count the copied bytes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "toolbox/cuda/attributes.cuh"

namespace sextant::bulk {

// True if the code is compiled for a GPU with bulk copies. Otherwise the kernels compile to nothing, and
// `unavailable` gives the reason.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
inline constexpr bool available = true;
#else
inline constexpr bool available = false;
#endif

// Returns why bulk copies cannot be used, or null if they can. For Variant::unavailable.
inline const char* unavailable() {
  return compute_capability() < 9 ? "bulk copies need compute capability 9.0 or later" : nullptr;
}

__device__ __forceinline__ unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

__device__ __forceinline__ void start(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

// Makes the initialized barriers visible to bulk copies. Call it after initializing them and before the first
// copy.
__device__ __forceinline__ void barriers_started() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Arrives, and makes the phase also wait for `bytes` bytes of bulk copies.
__device__ __forceinline__ void expect(std::uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}

// Starts a bulk copy. `barrier` counts its bytes. Both addresses and `bytes` must be multiples of 16.
__device__ __forceinline__ void copy(void* to, const void* from, int bytes, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// Like `copy`, but marks the source lines in the L2 cache so that they are evicted first.
__device__ __forceinline__ void copy_leaving_first(void* to, const void* from, int bytes,
                                                   std::uint64_t* barrier) {
  unsigned long long leaves_first;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(leaves_first));
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, "
      "[%3], %4;" ::"r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier)), "l"(leaves_first)
      : "memory");
}

// Prefetches `bytes` bytes into the L2 cache; `from` and `bytes` must be multiples of 16. Does nothing on a
// GPU without bulk copies.
__device__ __forceinline__ void ask_into_cache(const void* from, int bytes) {
  if constexpr (available)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
}

// `copy_element` starts an asynchronous copy of one element of 4 or 8 bytes. `arrive_with_elements` makes the
// calling thread arrive when all its element copies are complete.
template <typename T>
__device__ __forceinline__ void copy_element(T* to, const T* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)), "l"(from),
               "n"(sizeof(T))
               : "memory");
}
__device__ __forceinline__ void arrive_with_elements(std::uint64_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Waits until the phase with this parity (0, 1, 0, …) has ended.
__device__ __forceinline__ void wait(std::uint64_t* barrier, int parity) {
  int done = 0;
  while (!done)
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
        "selp.b32 %0, 1, 0, p;\n"
        "}\n"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
}

}  // namespace sextant::bulk
