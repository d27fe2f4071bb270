// A tile of keys that a block sorts by one digit of some bits, stable: keys of the same digit keep their
// order. A warp has `items` rows of 32 keys behind one another. Where a key goes within its tile is the sum
// of three: where its digit begins, how many of that digit the warps before have, how many lie before it in
// its warp.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::sort {

template <int bits, typename Word>
__device__ __forceinline__ int digit_of(Word key, int shift) {
  return static_cast<int>(key >> shift & ((1 << bits) - 1));
}

// The lanes whose digit is the calling one's. In PTX: what compilers made of the same in C++ took a fifth
// longer.
template <int bits>
__device__ __forceinline__ unsigned lanes_with(int digit) {
  unsigned same = ~0u;
#pragma unroll
  for (int bit = 0; bit < bits; ++bit) {
    unsigned lanes;
    asm("{ .reg .pred p; and.b32 %0, %1, %2; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
        : "=r"(lanes)
        : "r"(digit), "r"(1 << bit));
    same &= lanes;
  }
  return same;
}

// *to += what where that is wanted, in shared memory: what it was. Without a branch, so that several are
// under way.
__device__ __forceinline__ int add_if(bool wanted, int* to, int what) {
  int before = 0;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p atom.shared.add.u32 %0, [%1], %2; }"
               : "+r"(before)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "r"(what),
                 "r"(static_cast<unsigned>(wanted))
               : "memory");
  return before;
}

template <int bits, int block, int items, typename Word>
struct Tile {
  static constexpr int warps = block / 32, size = block * items, radix = 1 << bits;
  static_assert(block >= radix && block % 32 == 0 && size <= 1 << 16);

  // What the block's threads share.
  struct Shared {
    Word keys[size];
    int counts[warps][radix];  // of the warps' keys by digit; then where the first of these goes
    int totals[2][warps];
  };

  Word keys[items];
  unsigned places[(items + 1) / 2];  // two each

  __device__ __forceinline__ int place(int i) const {
    return static_cast<int>(i % 2 == 0 ? places[i / 2] & 0xffff : places[i / 2] >> 16);
  }

  // Where the calling thread's first key lies in the tile; the next ones are 32 further each.
  static __device__ __forceinline__ int first_place() {
    return static_cast<int>(threadIdx.x / 32) * (32 * items) + static_cast<int>(threadIdx.x % 32);
  }

  // Keys from `from` on, `count` of them, as bits_of has them; behind those, ones that no key comes after.
  template <typename T, typename BitsOf>
  __device__ __forceinline__ void load(const T* from, int count, const BitsOf& bits_of) {
    if (count == size) {
#pragma unroll
      for (int i = 0; i < items; ++i) keys[i] = bits_of(from[first_place() + 32 * i]);
      return;
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = first_place() + 32 * i;
      keys[i] = at < count ? bits_of(from[at]) : static_cast<Word>(~Word{0});
    }
  }
  template <typename T>
  __device__ __forceinline__ void load(const T* from, int count) {
    load(from, count, [](T key) { return ordered(key); });
  }

  // place(i) = how many keys of the digit of key i lie before it in its warp; shared.counts: how many the
  // warp has in all.
  __device__ __forceinline__ void rank_in_warp(Shared& shared, int shift) {
    constexpr int rows = items % 4 == 0 ? 4 : 1;  // that count together
    const int lane = static_cast<int>(threadIdx.x % 32);
    int* const counts = shared.counts[threadIdx.x / 32];
#pragma unroll
    for (int b = lane; b < radix; b += 32) counts[b] = 0;
    __syncwarp();
#pragma unroll
    for (int first = 0; first < items; first += rows) {
      unsigned same[rows];
      int before[rows];
#pragma unroll
      for (int r = 0; r < rows; ++r) same[r] = lanes_with<bits>(digit_of<bits>(keys[first + r], shift));
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        before[r] = add_if(lane == 31 - __clz(static_cast<int>(same[r])),
                           &counts[digit_of<bits>(keys[first + r], shift)], __popc(same[r]));
        __syncwarp();  // the next row's lanes add to what these wrote
      }
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        const int i = first + r, from = 31 - __clz(static_cast<int>(same[r]));
        const unsigned place =
            static_cast<unsigned>(__shfl_sync(~0u, before[r], from) + __popc(same[r] & ((1u << lane) - 1)));
        places[i / 2] = i % 2 == 0 ? place : places[i / 2] | place << 16;
      }
    }
  }

  // The tile's keys of the calling thread's digit (0 for threads that have none). Behind a barrier.
  static __device__ __forceinline__ int count_all(const Shared& shared) {
    int all = 0;
#pragma unroll
    for (int warp = 0; warp < warps; ++warp)
      if (threadIdx.x < radix) all += shared.counts[warp][threadIdx.x];
    return all;
  }

  // Counts become where the warps' first keys go, if the first of all of the calling thread's digit goes to
  // `begin`.
  static __device__ __forceinline__ void begin_at(Shared& shared, int begin) {
    if (threadIdx.x >= radix) return;
#pragma unroll 4
    for (int warp = 0; warp < warps; ++warp) {
      const int count = shared.counts[warp][threadIdx.x];
      shared.counts[warp][threadIdx.x] = begin;
      begin += count;
    }
  }

  // Where key i goes; behind a barrier after begin_at.
  __device__ __forceinline__ int goes_to(const Shared& shared, int i, int shift) const {
    return place(i) + shared.counts[threadIdx.x / 32][digit_of<bits>(keys[i], shift)];
  }

  // What the threads before the calling one have in all. By the whole block; holds one barrier. `totals` as
  // WarpTotals has it.
  static __device__ __forceinline__ int before_thread(int value, int* totals) {
    const int upto = warp_inclusive_sum(value);
    const WarpTotals<block, int> all(__shfl_sync(~0u, upto, 31), totals);
    return all.before + upto - value;
  }

  // Keys to their places in shared memory, which places become; behind a barrier after begin_at.
  __device__ __forceinline__ void scatter(Shared& shared, int shift) {
    asm volatile("" : "+r"(shift));  // or the compiler keeps all digits in registers until here
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int to = goes_to(shared, i, shift);
      shared.keys[to] = keys[i];
      places[i / 2] = i % 2 == 0 ? (places[i / 2] & 0xffff0000) | static_cast<unsigned>(to)
                                 : (places[i / 2] & 0xffff) | static_cast<unsigned>(to) << 16;
    }
  }
};

// Grows what the kernel may have of shared memory; says no to more than the GPU has.
inline bool allow_shared(const void* kernel, std::size_t bytes) {
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) ==
      cudaSuccess)
    return true;
  cudaGetLastError();  // an error that is reported must not be found by a later check
  return false;
}

// function.template operator()<pairs, T>() for what the problem sorts.
template <typename Function>
void with_keys(const Problem& problem, const Function& function) {
  if (problem.type == ElementType::float32)
    function.template operator()<false, float>();
  else if (problem.type == ElementType::float64)
    function.template operator()<false, double>();
  else if (has_values(problem))
    function.template operator()<true, std::int32_t>();
  else
    function.template operator()<false, std::int32_t>();
}

// The device pointers of a call: keys and values (null where there are none), in and out.
template <typename T>
struct Pointers {
  const T* keys;
  T* sorted;
  const std::int32_t* values;
  std::int32_t* sorted_values;

  explicit Pointers(const Call& call)
      : keys(call.array<const T>(0)),
        sorted(call.array<T>(has_values(call.problem) ? 2 : 1)),
        values(has_values(call.problem) ? call.array<const std::int32_t>(1) : nullptr),
        sorted_values(has_values(call.problem) ? call.array<std::int32_t>(3) : nullptr) {}
};

}  // namespace sextant::sort
