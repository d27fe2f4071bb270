// Densities on their way between nodes, for kernels whose threads wait for each other's results without a
// barrier. Every node has a slot a direction, twice: rounds alternate between the two. A density below 2 in
// magnitude does not use the highest bit of its exponent; there it bears the round's tag. Slots are read and
// written whole, so whoever finds the awaited tag has the density with it: no flag, no fence, no further
// byte. (NCCL's low-latency protocol sends a flag beside every value to the same end.)
#pragma once

#include <cuda_runtime.h>

#include "lattice.hpp"

namespace sextant::lbm_d3q15 {

template <typename T>
struct Slot;
template <>
struct Slot<float> {
  using Word = unsigned;
};
template <>
struct Slot<double> {
  using Word = unsigned long long;
};
template <typename T>
using Word = typename Slot<T>::Word;

inline constexpr unsigned tag_bit = 1u << 30;  // of the upper half of a double, of the whole of a float

// Round r travels in buffer r & 1. Cleared slots hold what came before rounds 0 and 1.
__device__ __forceinline__ unsigned tag_of(unsigned round) { return round & 2 ? 0 : tag_bit; }

__device__ __forceinline__ unsigned upper(unsigned word) { return word; }
__device__ __forceinline__ unsigned upper(unsigned long long word) {
  return static_cast<unsigned>(word >> 32);
}

template <typename T>
__device__ __forceinline__ bool has_come(Word<T> word, unsigned tag) {
  return (upper(word) & tag_bit) == tag;
}

__device__ __forceinline__ float without_tag(unsigned word) { return __uint_as_float(word & ~tag_bit); }
__device__ __forceinline__ double without_tag(unsigned long long word) {
  return __hiloint2double(static_cast<int>(upper(word) & ~tag_bit), static_cast<int>(word));
}

__device__ __forceinline__ unsigned as_word(float value) { return __float_as_uint(value); }
__device__ __forceinline__ unsigned long long as_word(double value) {
  return static_cast<unsigned long long>(__double_as_longlong(value));
}

__device__ __forceinline__ unsigned with_tag(unsigned word, unsigned tag) { return (word & ~tag_bit) | tag; }
__device__ __forceinline__ unsigned long long with_tag(unsigned long long word, unsigned tag) {
  constexpr unsigned long long mask = static_cast<unsigned long long>(tag_bit) << 32;
  return (word & ~mask) | (static_cast<unsigned long long>(tag) << 32);
}

// ---- slots lie in the block's shared memory or in global memory: addresses are generic

// Reads a slot as it is now, if that is wanted; without a branch, so that several reads are under way at
// once.
__device__ __forceinline__ void peek(const unsigned* slot, bool wanted, unsigned& word) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.relaxed.gpu.u32 %0, [%1]; }"
               : "+r"(word)
               : "l"(slot), "r"(static_cast<unsigned>(wanted))
               : "memory");
}
__device__ __forceinline__ void peek(const unsigned long long* slot, bool wanted, unsigned long long& word) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.relaxed.gpu.u64 %0, [%1]; }"
               : "+l"(word)
               : "l"(slot), "r"(static_cast<unsigned>(wanted))
               : "memory");
}

__device__ __forceinline__ unsigned peek(const unsigned* slot) {
  unsigned word;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(word) : "l"(slot) : "memory");
  return word;
}
__device__ __forceinline__ unsigned long long peek(const unsigned long long* slot) {
  unsigned long long word;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(slot) : "memory");
  return word;
}

__device__ __forceinline__ void post(unsigned* slot, unsigned word) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(slot), "r"(word) : "memory");
}
__device__ __forceinline__ void post(unsigned long long* slot, unsigned long long word) {
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(slot), "l"(word) : "memory");
}

}  // namespace sextant::lbm_d3q15
