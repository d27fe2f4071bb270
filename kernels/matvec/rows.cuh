// y = A*x with `lanes` threads on `rows` neighbouring rows: x is loaded once for all of them, the dot
// products end in warp shuffles, and for more than one warp in shared memory. No partial sums cross blocks:
// one launch, one order.
#pragma once

#include <cstdint>

namespace sextant::matvec {

template <typename T, int width>
struct alignas(width * sizeof(T)) Pack {
  T at[width];
};

// width: elements a load, 16 bytes where every row starts on a 16-byte boundary, else 1. unroll: loads of a
// row in flight. The block has `block` threads, a multiple of lanes.
template <typename T, int width, int lanes, int rows, int unroll, int block>
__global__ void __launch_bounds__(block)
    rows_kernel(std::int64_t n, const T* __restrict__ a, const T* __restrict__ x, T* __restrict__ y) {
  using Load = Pack<T, width>;
  const int lane = threadIdx.x % lanes;
  const std::int64_t first_row =
      (static_cast<std::int64_t>(blockIdx.x) * (block / lanes) + threadIdx.x / lanes) * rows;
  const Load* vector = reinterpret_cast<const Load*>(x);
  const Load* row[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r)  // past the last row: read the last again, store nothing
    row[r] = reinterpret_cast<const Load*>(a + min(first_row + r, n - 1) * n);
  T sum[rows] = {};
  const std::int64_t count = n / width;
  std::int64_t j = lane;
  for (; j + (unroll - 1) * lanes < count; j += unroll * lanes) {
    Load loaded[rows][unroll], factor[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int r = 0; r < rows; ++r) loaded[r][u] = row[r][j + u * lanes];
#pragma unroll
    for (int u = 0; u < unroll; ++u) factor[u] = vector[j + u * lanes];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int k = 0; k < width; ++k) sum[r] += loaded[r][u].at[k] * factor[u].at[k];
  }
  Load loaded[rows][unroll] = {}, factor[unroll] = {};
#pragma unroll
  for (int u = 0; u < unroll; ++u)
    if (j + u * lanes < count) {
      factor[u] = vector[j + u * lanes];
#pragma unroll
      for (int r = 0; r < rows; ++r) loaded[r][u] = row[r][j + u * lanes];
    }
#pragma unroll
  for (int u = 0; u < unroll; ++u)
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
      for (int k = 0; k < width; ++k) sum[r] += loaded[r][u].at[k] * factor[u].at[k];

#pragma unroll
  for (int r = 0; r < rows; ++r)
    for (int offset = 16; offset > 0; offset /= 2) sum[r] += __shfl_down_sync(~0u, sum[r], offset);
  if constexpr (lanes == 32) {
    if (lane == 0)
#pragma unroll
      for (int r = 0; r < rows; ++r)
        if (first_row + r < n) y[first_row + r] = sum[r];
  } else {
    __shared__ T partial[block / 32][rows];
    const int warp = threadIdx.x / 32;
    if (lane % 32 == 0)
#pragma unroll
      for (int r = 0; r < rows; ++r) partial[warp][r] = sum[r];
    __syncthreads();
    if (lane < rows && first_row + lane < n) {
      T total = 0;
#pragma unroll
      for (int w = 0; w < lanes / 32; ++w) total += partial[warp + w][lane];
      y[first_row + lane] = total;
    }
  }
}

}  // namespace sextant::matvec
