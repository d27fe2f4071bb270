// Values that one block of a running kernel sends to another through global memory. Every 64 bits that travel
// hold half a value and the number of the round it belongs to; a 64-bit access is made whole or not at all,
// so that whoever finds the round's number also has the value: no flag, no fence. (The idea is that of NCCL's
// low-latency protocol.)
#pragma once

#include <cuda_runtime.h>

namespace sextant {

template <typename T>
struct Packet;

template <>
struct Packet<float> {
  unsigned long long whole;

  __device__ __forceinline__ bool is_of(unsigned round) const {
    return static_cast<unsigned>(whole >> 32) == round;
  }
  __device__ __forceinline__ float value() const { return __uint_as_float(static_cast<unsigned>(whole)); }
};

template <>
struct alignas(16) Packet<double> {
  unsigned long long low, high;

  __device__ __forceinline__ bool is_of(unsigned round) const {
    return static_cast<unsigned>(low >> 32) == round && static_cast<unsigned>(high >> 32) == round;
  }
  __device__ __forceinline__ double value() const {
    return __longlong_as_double(static_cast<long long>((high << 32) | (low & 0xffffffffull)));
  }
};

__device__ __forceinline__ Packet<float> packed(unsigned round, float value) {
  return {(static_cast<unsigned long long>(round) << 32) | __float_as_uint(value)};
}

__device__ __forceinline__ Packet<double> packed(unsigned round, double value) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
  const unsigned long long tag = static_cast<unsigned long long>(round) << 32;
  return {tag | (bits & 0xffffffffull), tag | (bits >> 32)};
}

// Those below do without a branch: `wanted` says whether anything is to be done.

__device__ __forceinline__ void send(Packet<float>* to, bool wanted, const Packet<float>& packet) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.relaxed.gpu.global.u64 [%0], %1; }" ::"l"(to),
               "l"(packet.whole), "r"(static_cast<unsigned>(wanted))
               : "memory");
}

__device__ __forceinline__ void send(Packet<double>* to, bool wanted, const Packet<double>& packet) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %3, 0; @p st.relaxed.gpu.global.v2.u64 [%0], {%1, %2}; }" ::"l"(to),
      "l"(packet.low), "l"(packet.high), "r"(static_cast<unsigned>(wanted))
      : "memory");
}

// Reads what lies in `from` now. Several reads may be under way at once.
__device__ __forceinline__ void peek(const Packet<float>* from, bool wanted, Packet<float>& packet) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.relaxed.gpu.global.u64 %0, [%1]; }"
               : "+l"(packet.whole)
               : "l"(from), "r"(static_cast<unsigned>(wanted))
               : "memory");
}

__device__ __forceinline__ void peek(const Packet<double>* from, bool wanted, Packet<double>& packet) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2]; }"
               : "+l"(packet.low), "+l"(packet.high)
               : "l"(from), "r"(static_cast<unsigned>(wanted))
               : "memory");
}

}  // namespace sextant
