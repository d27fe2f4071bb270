// Transition functions of the automaton, packed into 64 bits: the successors of all 16 states, 4 bits each.
//
// Functions are composed by the byte-permutation instruction (prmt). Its selectors have 4 bits: three select
// one of eight bytes; if the fourth is set, the result is that byte's sign, which is 0 for a state. So the
// sum of two permutations looks up a table of 16 bytes: one for states 0 to 7, one for states 8 to 15. The
// second permutation takes complemented selectors and a reversed table.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/lookback.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::dfa {

// A transition function. From the lowest four bits on, the lower half holds the successors of states 0 to 7,
// the upper half those of states 15 to 8.
using Packed = unsigned long long;

// The identity function: each state is its own successor.
inline constexpr Packed stay = 0x89ABCDEF'76543210ull;
SEXTANT_DFA_INLINE Packed always(int state) { return static_cast<unsigned>(state) * 0x11111111'11111111ull; }

SEXTANT_DFA_INLINE int led_to(Packed transition, int from) {
  const auto half = static_cast<unsigned>(from < 8 ? transition : transition >> 32);
  return static_cast<int>(half >> (4 * (from < 8 ? from : 15 - from)) & 15u);
}

__device__ __forceinline__ unsigned permuted(unsigned low, unsigned high, unsigned selectors) {
  unsigned bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(selectors));
  return bytes;
}

// A transition function with one byte per state, as the byte-permutation instruction needs it.
struct Transition {
  unsigned low[2] = {0x03020100, 0x07060504}, high[2] = {0x0C0D0E0F, 0x08090A0B};

  Transition() = default;
  __device__ __forceinline__ explicit Transition(Packed packed)
      : low{bytes_of(static_cast<unsigned>(packed)), bytes_of(static_cast<unsigned>(packed) >> 16)},
        high{bytes_of(static_cast<unsigned>(packed >> 32)), bytes_of(static_cast<unsigned>(packed >> 48))} {}

  // Returns the successors of the four states in the lowest 16 bits of `selectors`, one byte each.
  __device__ __forceinline__ unsigned of_four(unsigned selectors) const {
    return permuted(low[0], low[1], selectors) + permuted(high[0], high[1], 0xFFFFu - selectors);
  }

  // Composes this function with another one that is applied first. The arguments are the successors of that
  // function, four states each.
  __device__ __forceinline__ void follow(unsigned a, unsigned b, unsigned c, unsigned d) {
    const unsigned to[4] = {of_four(a), of_four(b), of_four(c), of_four(d)};
    low[0] = to[0], low[1] = to[1], high[0] = to[2], high[1] = to[3];
  }
  __device__ __forceinline__ void follow(Packed first) {
    const auto below = static_cast<unsigned>(first), above = static_cast<unsigned>(first >> 32);
    follow(below & 0xFFFF, below >> 16, above & 0xFFFF, above >> 16);
  }

  __device__ __forceinline__ Packed packed() const {
    return static_cast<Packed>(nibbles_of(high[0]) | nibbles_of(high[1]) << 16) << 32 |
           (nibbles_of(low[0]) | nibbles_of(low[1]) << 16);
  }

 private:
  static __device__ __forceinline__ unsigned bytes_of(unsigned nibbles) {
    return permuted(nibbles & 0x0F0F, nibbles >> 4 & 0x0F0F, 0x5140);
  }
  static __device__ __forceinline__ unsigned nibbles_of(unsigned bytes) {
    return permuted(bytes | bytes >> 4, 0, 0x4420);
  }
};

// Returns the function that applies `first`, then `second`.
__device__ __forceinline__ Packed composed(Packed second, Packed first) {
  Transition transition(second);
  transition.follow(first);
  return transition.packed();
}

// Returns four entries of a table row, 4 bits each. The first has index `from`; the index changes by `step`.
SEXTANT_DFA_INLINE unsigned selectors_of(const unsigned char* row, int from, int step) {
  unsigned selectors = 0;
  for (int k = 0; k < 4; ++k) selectors |= static_cast<unsigned>(row[from + k * step]) << (4 * k);
  return selectors;
}
SEXTANT_DFA_INLINE Packed transition_of(const unsigned char* row) {
  return static_cast<Packed>(selectors_of(row, 15, -1) | selectors_of(row, 11, -1) << 16) << 32 |
         (selectors_of(row, 0, 1) | selectors_of(row, 4, 1) << 16);
}

// Inclusive scan over the warp: composes the functions of all lanes up to the calling one.
__device__ __forceinline__ Packed warp_inclusive_transition(Packed transition) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const Packed before = __shfl_up_sync(~0u, transition, step);
    const Packed both = composed(transition, before);
    if (threadIdx.x % 32 >= step) transition = both;
  }
  return transition;
}

// One look-back step, like lookback::sum_of_window: waits for the published functions of the 32 tiles before
// `end` and composes them. Composition is not commutative, so the order matters. Lane 0 receives the result.
__device__ __forceinline__ Packed transition_of_window(const lookback::DescriptorArray<Packed>& descriptors,
                                                       unsigned epoch, std::int64_t end, int& peeks,
                                                       bool& complete) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t mine = end - 1 - lane;
  Packed transition = always(0);
  lookback::Kind kind = mine < 0 ? lookback::of_all : lookback::none;
  int nearest = 0;
  for (;;) {
    if (kind == lookback::none) kind = lookback::peek(&descriptors.data[mine], epoch, transition);
    const unsigned all = __ballot_sync(~0u, kind == lookback::of_all),
                   missing = __ballot_sync(~0u, kind == lookback::none);
    nearest = all ? __ffs(static_cast<int>(all)) - 1 : 31;
    if ((missing & (~0u >> (31 - nearest))) == 0) break;
    if (--peeks <= 0) {
      descriptors.poll_limit.give_up();
      break;
    }
    if (descriptors.wait_ns > 0) __nanosleep(descriptors.wait_ns);
  }
  complete = __any_sync(~0u, kind == lookback::of_all);
  if (kind == lookback::none || lane > nearest) transition = stay;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const Packed earlier = __shfl_down_sync(~0u, transition, step);
    if (lane + step < 32) transition = composed(transition, earlier);
  }
  return transition;
}

// Returns the state before tile `number` in all lanes of the warp. `own` is the tile's transition function.
// Only one warp of a block may call it. If `own` is constant, the tile publishes its final state without
// waiting for earlier tiles.
__device__ __forceinline__ int state_before(const lookback::DescriptorArray<Packed>& descriptors,
                                            unsigned epoch, std::int64_t number, Packed own) {
  const bool first_lane = threadIdx.x % 32 == 0;
  auto* descriptor = &descriptors.data[number];
  const int end = led_to(own, 0);
  const bool known = number == 0 || own == always(end);
  if (first_lane)
    lookback::post(descriptor, known ? always(end) : own,
                   lookback::tag_of(epoch, known ? lookback::of_all : lookback::of_tile));
  if (number == 0) return 0;
  Packed before = stay;
  int peeks = descriptors.poll_limit.peeks;
  bool complete = false;
  for (std::int64_t from = number; !complete; from -= 32)
    before = composed(before, transition_of_window(descriptors, epoch, from, peeks, complete));
  const int state = __shfl_sync(~0u, led_to(before, 0), 0);
  if (first_lane && !known)
    lookback::post(descriptor, always(led_to(own, state)), lookback::tag_of(epoch, lookback::of_all));
  return state;
}

}  // namespace sextant::dfa
