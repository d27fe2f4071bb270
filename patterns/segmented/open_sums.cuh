// What is handed on where segments reach over the elements of several threads or blocks. Each has a stretch in which some
// segments may end; what follows its last end, or all of it if there is none, is open: it belongs to a segment that ends with
// one of those behind it.
#pragma once

#include <cuda_runtime.h>

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
