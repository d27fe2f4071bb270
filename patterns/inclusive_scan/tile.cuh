// A block's share of the elements in registers, read and written by 16-byte accesses: a warp has `rows` rows of 32 vectors
// behind one another. Sums run along a vector by themselves, along a row by shuffles, from row to row and from warp to
// warp by totals.
#pragma once

#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::inclusive_scan {

template <int block, int rows, typename T>
struct Tile {
  static constexpr int width = vector_length<T>;
  static constexpr int row = 32 * width;
  static constexpr int size = block * rows * width;
  Vector<T, width> at[rows];

  // Where the calling thread's first vector lies in a tile.
  static __device__ __forceinline__ int place() {
    return static_cast<int>(threadIdx.x / 32) * (rows * row) + static_cast<int>(threadIdx.x % 32) * width;
  }

  // Elements from `first` on, a multiple of the width; 0 from n on.
  __device__ __forceinline__ void load(const T* a, std::int64_t first, std::int64_t n) {
    const std::int64_t from = first + place();
    if (first + size <= n) {
#pragma unroll
      for (int r = 0; r < rows; ++r) at[r] = sextant::load<width>(a + from + r * row);
      return;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) at[r][k] = from + r * row + k < n ? a[from + r * row + k] : T(0);
  }

  __device__ __forceinline__ void store(T* y, std::int64_t first, std::int64_t n) const {
    const std::int64_t from = first + place();
    if (first + size <= n) {
#pragma unroll
      for (int r = 0; r < rows; ++r) store_streaming(y + from + r * row, at[r]);
      return;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k)
        if (from + r * row + k < n) y[from + r * row + k] = at[r][k];
  }

  // The sum of what the calling thread has.
  __device__ __forceinline__ T sum() const {
    T sum = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) sum += at[r][k];
    return sum;
  }

  // Elements become the sums from the warp's first on; returns the warp's sum.
  __device__ __forceinline__ T scan_warp() {
    T total = 0;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int k = 1; k < width; ++k) at[r][k] += at[r][k - 1];
      const T upto = warp_inclusive_sum(at[r][width - 1]);
      const T left = __shfl_up_sync(~0u, upto, 1);
      const T add = threadIdx.x % 32 > 0 ? total + left : total;
#pragma unroll
      for (int k = 0; k < width; ++k) at[r][k] += add;
      total += __shfl_sync(~0u, upto, 31);
    }
    return total;
  }

  __device__ __forceinline__ void add(T before) {
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) at[r][k] += before;
  }
};

}  // namespace sextant::inclusive_scan
