// Lines of PTX in OpenACC's forms, where GCC offloads to NVIDIA's GPUs.
#pragma once

#if defined(__GNUC__) && !defined(__clang__) && !defined(__NVCOMPILER)
  #define SEXTANT_GCC_OFFLOADS 1
#else
  #define SEXTANT_GCC_OFFLOADS 0
#endif

namespace sextant::openacc {

// Whether this is GCC's code for an NVIDIA GPU. What an `if` on it has is not compiled for the host.
inline __attribute__((always_inline)) bool is_ptx() {
#if SEXTANT_GCC_OFFLOADS
  return __builtin_acc_on_device(5);  // acc_device_nvidia
#else
  return false;
#endif
}

// What this lane has written is seen by other gangs before what it writes after that, and what it reads after
// that is as they left it before. __sync_synchronize would do so for the host, too, which takes longer.
inline __attribute__((always_inline)) void order_gangs() {
#if SEXTANT_GCC_OFFLOADS
  if (is_ptx()) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    return;
  }
#endif
  __sync_synchronize();
}

// A reciprocal's first 20 bits.
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
