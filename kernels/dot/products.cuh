// The dot product in one launch: reduction's fused sum (../reduction/fused.cuh), whose terms are products.
#pragma once

#include "../reduction/fused.cuh"
#include "suite/variant.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::dot {

// What one thread adds: every (threads of the grid)th pair of packs, `unroll` of them in flight, and, in the last block,
// of the products that fill no pack.
template <typename T, int block, int unroll>
__device__ T thread_sum(std::int64_t n, const T* a, const T* b) {
  using Pack = reduction::Pack<T>;
  constexpr int size = Pack::size;
  const std::int64_t count = n / size, step = std::int64_t{gridDim.x} * block;
  const auto* a_packs = reinterpret_cast<const Pack*>(a);
  const auto* b_packs = reinterpret_cast<const Pack*>(b);
  T sum[size] = {};
  std::int64_t i = std::int64_t{blockIdx.x} * block + threadIdx.x;
  for (; i + (unroll - 1) * step < count; i += unroll * step) {
    Pack x[unroll], y[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      x[u] = a_packs[i + u * step];
      y[u] = b_packs[i + u * step];
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int k = 0; k < size; ++k) sum[k] += x[u].at[k] * y[u].at[k];
  }
  Pack x[unroll] = {}, y[unroll] = {};
#pragma unroll
  for (int u = 0; u < unroll; ++u)
    if (i + u * step < count) {
      x[u] = a_packs[i + u * step];
      y[u] = b_packs[i + u * step];
    }
  const std::int64_t rest = count * size + threadIdx.x;
  T total = blockIdx.x + 1 == gridDim.x && rest < n ? a[rest] * b[rest] : T(0);
#pragma unroll
  for (int u = 0; u < unroll; ++u)
#pragma unroll
    for (int k = 0; k < size; ++k) sum[k] += x[u].at[k] * y[u].at[k];
#pragma unroll
  for (int k = 0; k < size; ++k) total += sum[k];
  return total;
}

// boxes: one a block, empty before and after.
template <typename T, int block, int unroll>
__global__ void __launch_bounds__(block)
    fused(std::int64_t n, const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ sum,
          reduction::Box<T>* boxes) {
  __shared__ T scratch[block / 32], last_scratch[block / 32];
  const T total = reduction::block_sum<block>(thread_sum<T, block, unroll>(n, a, b), scratch);
  reduction::add_blocks<block>(total, last_scratch, sum, boxes);
}

// Puts the product of n elements of a and b on `stream`. boxes: one a block of the grid, empty.
template <typename T, int block, int loads>
void launch_fused(std::int64_t n, const T* a, const T* b, T* sum, reduction::Box<T>* boxes, int blocks,
                  cudaStream_t stream) {
  fused<T, block, loads><<<blocks, block, 0, stream>>>(n, a, b, sum, boxes);
}

}  // namespace sextant::dot
