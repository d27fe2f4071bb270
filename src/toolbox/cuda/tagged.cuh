// Values that waiting threads on different multiprocessors exchange without a barrier or a flag. Values of
// magnitude below 2 do not use the highest bit of the exponent, so this bit holds a tag of the round. Slots
// are accessed atomically, so a reader that finds the expected tag also has the value. Every value has two
// slots, which alternate between rounds. (NCCL's low-latency protocol instead sends a flag with every value.)
#pragma once

#include "toolbox/cuda/vector.cuh"

namespace sextant {

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

inline constexpr unsigned tag_bit = 1u << 30;  // the bit in the upper half of a double, or in a float

// Returns the tag of a round. Round r uses slot r & 1. Zero-filled slots do not match rounds 0 and 1.
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

// ---- slots in shared memory or in global memory (generic addresses)

// Reads a slot once if `wanted` is true. A predicate replaces a branch, so that several reads can overlap.
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

// ---- 16 bytes of slots in global memory, or one slot. Each word is atomic by itself. peek reads only if
// `wanted` is true, and post writes only if `wanted` is not negative.

__device__ __forceinline__ void peek(const unsigned* slots, bool wanted, Vector<unsigned, 4>& words) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %5, 0; @p ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
      : "+r"(words[0]), "+r"(words[1]), "+r"(words[2]), "+r"(words[3])
      : "l"(slots), "r"(static_cast<unsigned>(wanted))
      : "memory");
}
__device__ __forceinline__ void peek(const unsigned long long* slots, bool wanted,
                                     Vector<unsigned long long, 2>& words) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2]; }"
               : "+l"(words[0]), "+l"(words[1])
               : "l"(slots), "r"(static_cast<unsigned>(wanted))
               : "memory");
}
template <typename W>
__device__ __forceinline__ void peek(const W* slot, bool wanted, Vector<W, 1>& word) {
  peek(slot, wanted, word[0]);
}

__device__ __forceinline__ void post(unsigned* slots, int wanted, const Vector<unsigned, 4>& words) {
  asm volatile(
      "{ .reg .pred p; setp.ge.s32 p, %5, 0; @p st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4}; }" ::"l"(
          slots),
      "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(wanted)
      : "memory");
}
__device__ __forceinline__ void post(unsigned long long* slots, int wanted,
                                     const Vector<unsigned long long, 2>& words) {
  asm volatile(
      "{ .reg .pred p; setp.ge.s32 p, %3, 0; @p st.relaxed.gpu.global.v2.u64 [%0], {%1, %2}; }" ::"l"(slots),
      "l"(words[0]), "l"(words[1]), "r"(wanted)
      : "memory");
}
template <typename W>
__device__ __forceinline__ void post(W* slot, int wanted, const Vector<W, 1>& word) {
  if (wanted >= 0) post(slot, word[0]);
}

// ---- the same functions for slots that another GPU writes

__device__ __forceinline__ void peek_far(const unsigned* slots, bool wanted, Vector<unsigned, 4>& words) {
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %5, 0; @p ld.relaxed.sys.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
      : "+r"(words[0]), "+r"(words[1]), "+r"(words[2]), "+r"(words[3])
      : "l"(slots), "r"(static_cast<unsigned>(wanted))
      : "memory");
}
__device__ __forceinline__ void peek_far(const unsigned long long* slots, bool wanted,
                                         Vector<unsigned long long, 2>& words) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2]; }"
               : "+l"(words[0]), "+l"(words[1])
               : "l"(slots), "r"(static_cast<unsigned>(wanted))
               : "memory");
}

__device__ __forceinline__ void post_far(unsigned* slots, const Vector<unsigned, 4>& words) {
  asm volatile("st.relaxed.sys.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(slots), "r"(words[0]),
               "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}
__device__ __forceinline__ void post_far(unsigned long long* slots,
                                         const Vector<unsigned long long, 2>& words) {
  asm volatile("st.relaxed.sys.global.v2.u64 [%0], {%1, %2};" ::"l"(slots), "l"(words[0]), "l"(words[1])
               : "memory");
}

template <typename T, int length>
__device__ __forceinline__ bool have_come(const Vector<Word<T>, length>& words, unsigned tag) {
  unsigned differs = 0;
#pragma unroll
  for (int e = 0; e < length; ++e) differs |= upper(words[e]) ^ tag;
  return (differs & tag_bit) == 0;
}

}  // namespace sextant
