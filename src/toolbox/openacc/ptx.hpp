// PTX instructions in OpenACC regions that GCC offloads to NVIDIA GPUs.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && !defined(__NVCOMPILER)
  #define SEXTANT_GCC_OFFLOADS 1
#else
  #define SEXTANT_GCC_OFFLOADS 0
#endif

namespace sextant::openacc {

// Returns true in code that GCC compiles for an NVIDIA GPU. The body of `if (is_ptx())` is not compiled for
// the host.
inline __attribute__((always_inline)) bool is_ptx() {
#if SEXTANT_GCC_OFFLOADS
  return __builtin_acc_on_device(5);  // acc_device_nvidia
#else
  return false;
#endif
}

// Orders memory accesses between gangs. Unlike __sync_synchronize, it does not order accesses with respect to
// the host, which takes longer.
inline __attribute__((always_inline)) void order_gangs() {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    return;
  }
#endif
  __sync_synchronize();
}

// Returns an estimate of 1/x, accurate to about 20 bits.
inline __attribute__((always_inline)) double guess_of_reciprocal(double x) {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) {
    double guess;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=r"(guess) : "r"(x));
    return guess;
  }
#endif
  return 1.0 / x;
}

}  // namespace sextant::openacc
