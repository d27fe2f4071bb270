// A tile of keys that a block sorts by one digit of some bits, stable: keys of the same digit keep their order. A warp has
// `items` rows of 32 keys behind one another. Where a key goes within its tile is the sum of three: where its digit
// begins, how many of that digit the warps before have, how many lie before it in its warp.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::sort {

template <int bits, typename Word>
__device__ __forceinline__ int digit_of(Word key, int shift) {
  return static_cast<int>(key >> shift & ((1 << bits) - 1));
}

// The lanes whose digit is the calling one's.
template <int bits>
__device__ __forceinline__ unsigned lanes_with(int digit) {
  unsigned same = ~0u;
#pragma unroll
  for (int bit = 0; bit < bits; ++bit) {
    const bool set = (digit >> bit & 1) != 0;
    const unsigned lanes = __ballot_sync(~0u, set);
    same &= set ? lanes : ~lanes;
  }
  return same;
}

template <int bits, int block, int items, typename Word>
struct Tile {
  static constexpr int warps = block / 32, size = block * items, radix = 1 << bits;
  static_assert(block >= radix && block % 32 == 0);

  // What the block's threads share.
  struct Shared {
    Word keys[size];
    int counts[warps][radix];  // of the warps' keys by digit; then those of the warps before
    int begins[radix];         // where digits begin in the tile
    int totals[2][warps];
  };

  Word keys[items];
  int places[items];

  // Where the calling thread's first key lies in the tile; the next ones are 32 further each.
  static __device__ __forceinline__ int first_place() {
    return static_cast<int>(threadIdx.x / 32) * (32 * items) + static_cast<int>(threadIdx.x % 32);
  }

  // Keys from `from` on, `count` of them; behind those, ones that no key comes after.
  template <typename T>
  __device__ __forceinline__ void load(const T* from, int count) {
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int at = first_place() + 32 * i;
      keys[i] = at < count ? ordered(from[at]) : static_cast<Word>(~Word{0});
    }
  }

  // places[i] = how many keys of the digit of key i lie before it in its warp; shared.counts: how many the warp has in all.
  __device__ __forceinline__ void rank_in_warp(Shared& shared, int shift) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    int* const counts = shared.counts[threadIdx.x / 32];
#pragma unroll
    for (int b = lane; b < radix; b += 32) counts[b] = 0;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int digit = digit_of<bits>(keys[i], shift);
      const unsigned same = lanes_with<bits>(digit);
      const int first = __ffs(static_cast<int>(same)) - 1;
      int before = 0;
      if (lane == first) {
        before = counts[digit];
        counts[digit] = before + __popc(same);
      }
      __syncwarp();  // the next row's lanes read what these wrote
      places[i] = __shfl_sync(~0u, before, first) + __popc(same & ((1u << lane) - 1));
    }
  }

  // The tile's keys of the calling thread's digit (0 for threads that have none); counts become those of the warps before.
  // Between barriers.
  static __device__ __forceinline__ int add_up_warps(Shared& shared) {
    int all = 0;
    if (threadIdx.x >= radix) return all;
#pragma unroll
    for (int warp = 0; warp < warps; ++warp) {
      const int count = shared.counts[warp][threadIdx.x];
      shared.counts[warp][threadIdx.x] = all;
      all += count;
    }
    return all;
  }

  // What the threads before the calling one have in all. By the whole block; holds one barrier. `totals` as WarpTotals has it.
  static __device__ __forceinline__ int before_thread(int value, int* totals) {
    const int upto = warp_inclusive_sum(value);
    const WarpTotals<block, int> all(__shfl_sync(~0u, upto, 31), totals);
    return all.before + upto - value;
  }

  // Keys to their places in shared memory; behind a barrier after add_up_warps and the digits' begins.
  __device__ __forceinline__ void scatter(Shared& shared, int shift) {
    const int warp = static_cast<int>(threadIdx.x / 32);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const int digit = digit_of<bits>(keys[i], shift);
      places[i] += shared.begins[digit] + shared.counts[warp][digit];
      shared.keys[places[i]] = keys[i];
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
