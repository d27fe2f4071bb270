// Barriers in shared memory that count arrivals (mbarrier objects of PTX): who waits need not arrive, and the
// other way round. Every thread arrives for itself: one lane for its warp, after __syncwarp, is as right and
// no faster, but compute-sanitizer's racecheck does not follow it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace sextant {

// A barrier by its address in shared memory. A phase ends when as many have arrived as it was started for;
// phases have parities 0, 1, 0, … A wait for a phase must come before the phase after it can end.
struct ArrivalBarrier {
  unsigned at;
  __device__ explicit ArrivalBarrier(std::uint64_t* barrier)
      : at(static_cast<unsigned>(__cvta_generic_to_shared(barrier))) {}
  __device__ __forceinline__ void start(int arrivals) const {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(arrivals) : "memory");
  }
  __device__ __forceinline__ void arrive() const {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
  }
  // Arrives, and says how many bytes bulk copies will bring before the barrier's phase is over (compute
  // capability 9.0).
  __device__ __forceinline__ void expect(int bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
  }
  // Whether the phase of this parity is over, at once.
  __device__ __forceinline__ bool passed(int parity) const {
    int done = 0;
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
        "selp.b32 %0, 1, 0, p;\n"
        "}\n"
        : "=r"(done)
        : "r"(at), "r"(parity)
        : "memory");
    return done != 0;
  }
  __device__ __forceinline__ void wait(int parity) const {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    int done = 0;
    while (!done)  // sleeps, for a time
      asm volatile(
          "{\n"
          ".reg .pred p;\n"
          "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
          "selp.b32 %0, 1, 0, p;\n"
          "}\n"
          : "=r"(done)
          : "r"(at), "r"(parity)
          : "memory");
#else
    while (!passed(parity)) {
    }
#endif
  }
};

}  // namespace sextant
