// Barriers in shared memory that count arrivals (mbarrier objects of PTX). A thread may wait without
// arriving, and arrive without waiting. Every thread arrives for itself, because the racecheck tool of
// compute-sanitizer does not recognize one arrival per warp.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace sextant {

// A barrier, identified by its address in shared memory. A phase ends after the number of arrivals that was
// passed to `start`. Phases have the parities 0, 1, 0 and so on. A thread must begin to wait for a phase
// before the next phase can end.
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
  // Arrives, and makes the phase also wait for `bytes` bytes of bulk copies (compute capability 9.0).
  __device__ __forceinline__ void expect(int bytes) const {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
  }
  // Returns true if the phase with this parity has ended. Does not wait.
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
    while (!done)  // the instruction suspends the thread for a limited time
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
