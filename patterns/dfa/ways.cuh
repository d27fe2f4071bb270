// Where all 16 states lead at once, in 64 bits: 16 states of 4 bits. Such ways are composed by permutations
// of bytes (prmt), whose selectors are of 4 bits, too: three of them name one of eight bytes, and the fourth
// asks for that byte's sign in place of it, which is 0 for a state. So two permutations, of states 0 to 7 and
// of 8 to 15, whose results are added, look four states up in a table of 16; that of the upper half takes the
// complements of its selectors, and has its bytes in reverse order.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/lookback.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::dfa {

// States 0 … 7 in the nibbles of the lower half from the lowest on, 15 … 8 in those of the upper half.
using Packed = unsigned long long;

inline constexpr Packed stay = 0x89ABCDEF'76543210ull;  // every state leads to itself
SEXTANT_DFA_INLINE Packed always(int state) { return static_cast<unsigned>(state) * 0x11111111'11111111ull; }

SEXTANT_DFA_INLINE int led_to(Packed way, int from) {
  const auto half = static_cast<unsigned>(from < 8 ? way : way >> 32);
  return static_cast<int>(half >> (4 * (from < 8 ? from : 15 - from)) & 15u);
}

__device__ __forceinline__ unsigned permuted(unsigned low, unsigned high, unsigned selectors) {
  unsigned bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(low), "r"(high), "r"(selectors));
  return bytes;
}

// The same with a byte for each state, as a table for permutations.
struct Way {
  unsigned low[2] = {0x03020100, 0x07060504}, high[2] = {0x0C0D0E0F, 0x08090A0B};

  Way() = default;
  __device__ __forceinline__ explicit Way(Packed packed)
      : low{bytes_of(static_cast<unsigned>(packed)), bytes_of(static_cast<unsigned>(packed) >> 16)},
        high{bytes_of(static_cast<unsigned>(packed >> 32)), bytes_of(static_cast<unsigned>(packed >> 48))} {}

  // What four states, the lowest 16 bits of `selectors`, lead to.
  __device__ __forceinline__ unsigned of_four(unsigned selectors) const {
    return permuted(low[0], low[1], selectors) + permuted(high[0], high[1], 0xFFFFu - selectors);
  }

  // This way after another, whose states are given by fours.
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

// `second` after `first`.
__device__ __forceinline__ Packed composed(Packed second, Packed first) {
  Way way(second);
  way.follow(first);
  return way.packed();
}

// Four states of a row of the table, from `from` on upwards or downwards, as selectors.
SEXTANT_DFA_INLINE unsigned selectors_of(const unsigned char* row, int from, int step) {
  unsigned selectors = 0;
  for (int k = 0; k < 4; ++k) selectors |= static_cast<unsigned>(row[from + k * step]) << (4 * k);
  return selectors;
}
SEXTANT_DFA_INLINE Packed way_of(const unsigned char* row) {
  return static_cast<Packed>(selectors_of(row, 15, -1) | selectors_of(row, 11, -1) << 16) << 32 |
         (selectors_of(row, 0, 1) | selectors_of(row, 4, 1) << 16);
}

// The ways of the lanes up to the calling one, its own the last.
__device__ __forceinline__ Packed warp_inclusive_way(Packed way) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const Packed before = __shfl_up_sync(~0u, way, step);
    const Packed both = composed(way, before);
    if (threadIdx.x % 32 >= step) way = both;
  }
  return way;
}

// As lookback::sum_of_window, of ways, which do not commute: the way from before the window to its end, in
// lane 0.
__device__ __forceinline__ Packed way_of_window(const lookback::Board<Packed>& board, unsigned epoch,
                                                std::int64_t end, int& peeks, bool& complete) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t mine = end - 1 - lane;
  Packed way = always(0);
  lookback::Kind kind = mine < 0 ? lookback::of_all : lookback::none;
  int nearest = 0;
  for (;;) {
    if (kind == lookback::none) kind = lookback::peek(&board.letters[mine], epoch, way);
    const unsigned all = __ballot_sync(~0u, kind == lookback::of_all),
                   missing = __ballot_sync(~0u, kind == lookback::none);
    nearest = all ? __ffs(static_cast<int>(all)) - 1 : 31;
    if ((missing & (~0u >> (31 - nearest))) == 0) break;
    if (--peeks <= 0) {
      board.patience.give_up();
      break;
    }
    if (board.wait_ns > 0) __nanosleep(board.wait_ns);
  }
  complete = __any_sync(~0u, kind == lookback::of_all);
  if (kind == lookback::none || lane > nearest) way = stay;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const Packed earlier = __shfl_down_sync(~0u, way, step);
    if (lane + step < 32) way = composed(way, earlier);
  }
  return way;
}

// The state before tile `number`, whose own way is `own`, in all lanes of the calling warp, the only one of
// its block to call this. A tile from all of whose states one is left says where it ends without looking
// back.
__device__ __forceinline__ int state_before(const lookback::Board<Packed>& board, unsigned epoch,
                                            std::int64_t number, Packed own) {
  const bool first_lane = threadIdx.x % 32 == 0;
  auto* letter = &board.letters[number];
  const int end = led_to(own, 0);
  const bool known = number == 0 || own == always(end);
  if (first_lane)
    lookback::post(letter, known ? always(end) : own,
                   lookback::tag_of(epoch, known ? lookback::of_all : lookback::of_tile));
  if (number == 0) return 0;
  Packed before = stay;
  int peeks = board.patience.peeks;
  bool complete = false;
  for (std::int64_t from = number; !complete; from -= 32)
    before = composed(before, way_of_window(board, epoch, from, peeks, complete));
  const int state = __shfl_sync(~0u, led_to(before, 0), 0);
  if (first_lane && !known)
    lookback::post(letter, always(led_to(own, state)), lookback::tag_of(epoch, lookback::of_all));
  return state;
}

}  // namespace sextant::dfa
