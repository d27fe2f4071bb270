// A tile of keys that a block sorts stably by one digit. Each warp has `items` consecutive groups of 32 keys.
// A key's position in the sorted tile is a sum: the start of its digit, the number of keys with that digit in
// earlier warps, and the number of earlier ones in its own warp.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::sort {

template <int bits, typename Word>
__device__ __forceinline__ int digit_of(Word key, int shift) {
  return static_cast<int>(key >> shift & ((1 << bits) - 1));
}

// Returns the mask of the lanes with the same digit as the calling lane. PTX is used because compilers
// generate slower code from C++.
template <int bits>
__device__ __forceinline__ unsigned lanes_with(int digit) {
  unsigned same = ~0u;
#pragma unroll
  for (int bit = 0; bit < bits; ++bit) {
    unsigned lanes;
    asm("{ .reg .pred p; and.b32 %0, %1, %2; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; "
        "@!p not.b32 %0, %0; }"
        : "=r"(lanes)
        : "r"(digit), "r"(1 << bit));
    same &= lanes;
  }
  return same;
}

// If `wanted` is true, adds `what` to *to in shared memory and returns the previous value. It has no branch,
// so that several additions can be in flight.
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

  // The block's shared memory.
  struct Shared {
    Word keys[size];
    int counts[warps][radix];  // keys per warp and digit; later the position of the first of these keys
    int totals[2][warps];
  };

  Word keys[items];
  unsigned places[(items + 1) / 2];  // 16-bit positions of the thread's keys, two per word

  __device__ __forceinline__ int place(int i) const {
    return static_cast<int>(i % 2 == 0 ? places[i / 2] & 0xffff : places[i / 2] >> 16);
  }

  // Index of the calling thread's first key in the tile. Its other keys have indices at distances of 32.
  static __device__ __forceinline__ int first_place() {
    return static_cast<int>(threadIdx.x / 32) * (32 * items) + static_cast<int>(threadIdx.x % 32);
  }

  // Loads `count` keys from `from`, converted by bits_of. Missing keys are filled with the largest value.
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

  // Sets place(i) to the number of earlier keys in the warp with the same digit as key i. Sets shared.counts
  // to the warp's number of keys per digit.
  __device__ __forceinline__ void rank_in_warp(Shared& shared, int shift) {
    constexpr int rows = items % 4 == 0 ? 4 : 1;  // number of keys per thread that are counted together
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
        __syncwarp();  // the next iteration adds to the same counts
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

  // Returns the number of keys in the tile whose digit is threadIdx.x, or 0 if threadIdx.x >= radix. Must be
  // called after a barrier.
  static __device__ __forceinline__ int count_all(const Shared& shared) {
    int all = 0;
#pragma unroll
    for (int warp = 0; warp < warps; ++warp)
      if (threadIdx.x < radix) all += shared.counts[warp][threadIdx.x];
    return all;
  }

  // Replaces the counts of digit threadIdx.x by the position of each warp's first key with that digit.
  // `begin` is the position of the tile's first key with that digit.
  static __device__ __forceinline__ void begin_at(Shared& shared, int begin) {
    if (threadIdx.x >= radix) return;
#pragma unroll 4
    for (int warp = 0; warp < warps; ++warp) {
      const int count = shared.counts[warp][threadIdx.x];
      shared.counts[warp][threadIdx.x] = begin;
      begin += count;
    }
  }

  // Returns the position of key i. Must be called after begin_at and a barrier.
  __device__ __forceinline__ int goes_to(const Shared& shared, int i, int shift) const {
    return place(i) + shared.counts[threadIdx.x / 32][digit_of<bits>(keys[i], shift)];
  }

  // Exclusive prefix sum over the threads of a block, all of which must call it. Contains one barrier.
  // `totals` is shared memory with one element per warp.
  static __device__ __forceinline__ int before_thread(int value, int* totals) {
    const int upto = warp_inclusive_sum(value);
    const WarpTotals<block, int> all(__shfl_sync(~0u, upto, 31), totals);
    return all.before + upto - value;
  }

  // Moves the keys to their positions in shared memory and stores the positions in `places`. Must be called
  // after begin_at and a barrier.
  __device__ __forceinline__ void scatter(Shared& shared, int shift) {
    asm volatile("" : "+r"(shift));  // keeps the compiler from precomputing all digits into registers
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int to = goes_to(shared, i, shift);
      shared.keys[to] = keys[i];
      places[i / 2] = i % 2 == 0 ? (places[i / 2] & 0xffff0000) | static_cast<unsigned>(to)
                                 : (places[i / 2] & 0xffff) | static_cast<unsigned>(to) << 16;
    }
  }
};

// Raises the kernel's limit of dynamic shared memory to `bytes`. Returns false if the GPU has less.
inline bool allow_shared(const void* kernel, std::size_t bytes) {
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) ==
      cudaSuccess)
    return true;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return false;
}

// Calls function.template operator()<pairs, T>(), where T is the key type of the problem.
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

// Device addresses of a call's keys and values, input and output. Pointers to values are null for sort_keys.
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
