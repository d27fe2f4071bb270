// A tile of the path: neighbouring elements of a block's share, and the ends among them. Elements come by 16-byte accesses
// that neighbours in a warp make side by side, and are passed in shared memory to the threads that add them up, some
// neighbours each; the sum up to each element goes back to its place there, where an end finds it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "toolbox/cuda/vector.cuh"

// What is handed on where segments reach over the elements of several threads or blocks. Each has a stretch in which some
// segments may end; what follows its last end, or all of it if there is none, is open: it belongs to a segment that ends with
// one of those behind it.
namespace sextant::segmented {

// The open sums up to the calling lane's, its own among them, from the last lane on that has an end: bit l of `ends` says
// whether lane l has.
template <typename T>
__device__ __forceinline__ T warp_open_sum(T open, unsigned ends) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned upto = ends & (~0u >> (31 - lane));
  const unsigned reach = upto ? lane - (31u - static_cast<unsigned>(__clz(static_cast<int>(upto)))) : lane;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const T before = __shfl_up_sync(~0u, open, step);
    if (step <= reach) open += before;
  }
  return open;
}

// Shared memory that the threads of a block hand their open sums on by, free again behind the block's next barrier.
template <int block, typename T>
struct OpenTotals {
  T sums[block / 32];
  int ends[block / 32];
};

// Of a block's threads, each with an open sum and whether it has an end.
template <int block, typename T>
struct OpenSums {
  T before, all;                 // before the calling thread, and behind the last one
  bool ended_before, ended_all;  // whether a segment ends by then: else what is open before the block goes on

  __device__ __forceinline__ OpenSums(T open, bool ends, OpenTotals<block, T>& totals) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned ends_of_lanes = __ballot_sync(~0u, ends);
    const T upto = warp_open_sum(open, ends_of_lanes);
    if (lane == 31) totals.sums[warp] = upto, totals.ends[warp] = ends_of_lanes != 0 ? 1 : 0;
    __syncthreads();
    const bool there = lane < block / 32;
    const unsigned ends_of_warps = __ballot_sync(~0u, there && totals.ends[lane] != 0);
    const T upto_warp = warp_open_sum(there ? totals.sums[lane] : T(0), ends_of_warps);
    const T of_warps = __shfl_sync(~0u, upto_warp, warp > 0 ? static_cast<int>(warp) - 1 : 0);
    const T of_lanes = __shfl_up_sync(~0u, upto, 1);
    const bool ended_in_warp = (ends_of_lanes & ((1u << lane) - 1)) != 0;
    before = lane > 0 ? of_lanes : T(0);
    if (!ended_in_warp && warp > 0) before += of_warps;
    all = __shfl_sync(~0u, upto_warp, block / 32 - 1);
    ended_before = ended_in_warp || (ends_of_warps & ((1u << warp) - 1)) != 0;
    ended_all = ends_of_warps != 0;
  }

  // Where `carry` is open before the block.
  __device__ __forceinline__ T before_with(T carry) const { return ended_before ? before : carry + before; }
  __device__ __forceinline__ T all_with(T carry) const { return ended_all ? all : carry + all; }
};

}  // namespace sextant::segmented

// The path that goes through all elements and, behind the last of each segment, its end: shares of it that are equal are as
// much work, however long the segments are and however many are empty.
namespace sextant::segmented {

// The next element and the next segment to end.
struct Place {
  std::int64_t element, segment;
};

// After `steps` of the path, in all lanes of the calling warp. End j is behind o[j + 1] elements and j ends: how many of these
// numbers lie below `steps` is found by a search that looks at 32 of them at a time.
__device__ inline Place place_after(std::int64_t steps, std::int64_t m, const std::int32_t* __restrict__ o) {
  std::int64_t low = 0, high = min(m, steps);
  while (low < high) {
    const std::int64_t step = (high - low) / 33 + 1, at = low + (threadIdx.x % 32 + 1) * step - 1;
    const bool behind = at < high && o[at + 1] + at < steps;
    const int count = __popc(__ballot_sync(~0u, behind));
    low += count * step;
    high = min(high, low + step - 1);
  }
  return {steps - low, low};
}

}  // namespace sextant::segmented

namespace sextant::segmented {

inline constexpr int aligned = 32;  // tiles begin at multiples of so many elements, 128 or 256 bytes

template <int block, int vectors, typename T>
struct Tile {
  static constexpr int width = vector_length<T>;
  static constexpr int each = vectors * width;  // elements a thread
  static constexpr int size = block * each;
  static constexpr int ends_each = each / 4 > 0 ? each / 4 : 1;  // segments of 4 elements
  static constexpr int most_ends = block * ends_each;

  using Pack = Vector<T, width>;
  using Marks = Vector<unsigned char, each>;

  struct Shared {
    Pack elements[block * vectors * 9 / 8];
    Marks marks[block];  // of an element: whether it is a segment's last
    OpenTotals<block, T> totals;
    int ends[2];  // how many the tile has; by turns, so that one is cleared while the other counts
    Place share[2];
  };

  // Vector v's place among the elements: one in nine stays free, so that neither neighbours that access neighbouring vectors
  // nor those that access vectors a thread's share apart meet in a bank.
  static __device__ __forceinline__ int slot(int v) { return v + v / 8; }
  static __device__ __forceinline__ T& element(Shared& shared, int i) {
    return shared.elements[slot(i / width)][i % width];
  }

  // The elements from `base` on, those before `begin` and from `end` on as 0.
  static __device__ __forceinline__ void load(const T* __restrict__ a, std::int64_t base, std::int64_t begin,
                                              std::int64_t end, Pack (&packs)[vectors]) {
    const std::int64_t mine = base + static_cast<int>(threadIdx.x) * width;
    if (begin == base && end == base + size) {
#pragma unroll
      for (int r = 0; r < vectors; ++r) packs[r] = sextant::load<width>(a + mine + r * (block * width));
      return;
    }
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) {
        const std::int64_t i = mine + r * (block * width) + k;
        packs[r][k] = i >= begin && i < end ? a[i] : T(0);
      }
  }

  // Elements from place `end` of the tile on become 0.
  static __device__ __forceinline__ void cut(Pack (&packs)[vectors], std::int64_t end) {
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if ((r * block + static_cast<int>(threadIdx.x)) * width + k >= end) packs[r][k] = T(0);
  }

  static __device__ __forceinline__ void stage(Shared& shared, const Pack (&packs)[vectors]) {
#pragma unroll
    for (int r = 0; r < vectors; ++r)
      shared.elements[slot(r * block + static_cast<int>(threadIdx.x))] = packs[r];
  }

  // Every element becomes the sum of its segment up to it, where `carry` is open before the tile; marks are cleared. Returns
  // what is open behind it. Has one barrier.
  static __device__ __forceinline__ T add_up(Shared& shared, T carry) {
    const int thread = static_cast<int>(threadIdx.x);
    Pack packs[vectors];
#pragma unroll
    for (int r = 0; r < vectors; ++r) packs[r] = shared.elements[slot(thread * vectors + r)];
    const Marks marks = shared.marks[thread];
    shared.marks[thread] = Marks{};
    T open = 0;
    bool ends = false;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      open += packs[k / width][k % width];
      if (marks[k]) open = 0, ends = true;
    }
    const OpenSums<block, T> others(open, ends, shared.totals);
    T sum = others.before_with(carry);
#pragma unroll
    for (int k = 0; k < each; ++k) {
      sum += packs[k / width][k % width];
      packs[k / width][k % width] = sum;
      if (marks[k]) sum = 0;
    }
#pragma unroll
    for (int r = 0; r < vectors; ++r) shared.elements[slot(thread * vectors + r)] = packs[r];
    return others.all_with(carry);
  }
};

}  // namespace sextant::segmented
