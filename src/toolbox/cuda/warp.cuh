// Sums over a warp or a block by warp shuffles.
#pragma once

#include <cuda_runtime.h>

namespace sextant {

// Returns the sum of all lanes' values, in every lane.
template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
  return value;
}

// Returns the inclusive prefix sum of the lanes' values.
template <typename T>
__device__ __forceinline__ T warp_inclusive_sum(T value) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const T before = __shfl_up_sync(~0u, value, step);
    if (threadIdx.x % 32 >= step) value += before;
  }
  return value;
}

// Sums over the warps of a block; each warp passes its sum as `total`. `before` is the sum of the warps
// before the calling one, `all` that of all warps. `totals` is shared memory with one value per warp. It may
// be reused after the block's next barrier.
template <int block, typename T>
struct WarpTotals {
  T before, all;
  __device__ __forceinline__ WarpTotals(T total, T* totals) {
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    if (lane == 0) totals[warp] = total;
    __syncthreads();
    const T one = lane < block / 32 ? totals[lane] : T(0);
    before = warp_sum(lane < warp ? one : T(0));
    all = warp_sum(one);
  }
};

}  // namespace sextant
