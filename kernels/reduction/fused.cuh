// Computes a sum in one launch. All blocks read the array together with 16-byte loads. Each block adds its
// elements with warp shuffles and stores its partial sum in global memory, in a word called its box. Block 0
// waits for these partial sums, adds them in the order of the blocks, and clears the boxes for the next
// launch.
// A partial sum and a flag share a 64-bit word. The block therefore needs neither a fence nor an atomic
// operation. Only block 0 waits, so all other blocks always finish.
#pragma once

#include <cstdint>

namespace sextant::reduction {

// 16 bytes of elements, which one instruction loads.
template <typename T>
struct alignas(16) Pack {
  static constexpr int size = 16 / sizeof(T);
  T at[size];
};

// Returns the sum of `value` over all threads of the block, valid in thread 0. `scratch` holds one element
// per warp.
template <int block, typename T>
__device__ T block_sum(T value, T* scratch) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  if constexpr (block > 32) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0) scratch[warp] = value;
    __syncthreads();
    if (warp == 0) {
      value = lane < block / 32 ? scratch[lane] : T(0);
      for (int offset = block / 64; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
    }
  }
  return value;
}

// Returns the sum of one thread's elements. The thread processes every T-th pack of 16 bytes, where T is the
// number of threads of the grid. `unroll` loads are in flight. Threads of the last block also add the
// elements after the last whole pack. All blocks read the same region of memory at a time, which is faster
// than a separate region per block.
template <typename T, int block, int unroll>
__device__ T thread_sum(std::int64_t n, const T* a) {
  constexpr int size = Pack<T>::size;
  const std::int64_t count = n / size, step = std::int64_t{gridDim.x} * block;
  const auto* packs = reinterpret_cast<const Pack<T>*>(a);
  T sum[size] = {};
  std::int64_t i = std::int64_t{blockIdx.x} * block + threadIdx.x;
  for (; i + (unroll - 1) * step < count; i += unroll * step) {
    Pack<T> loaded[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) loaded[u] = packs[i + u * step];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int k = 0; k < size; ++k) sum[k] += loaded[u].at[k];
  }
  Pack<T> loaded[unroll] = {};
#pragma unroll
  for (int u = 0; u < unroll; ++u)
    if (i + u * step < count) loaded[u] = packs[i + u * step];
  T rest =
      blockIdx.x + 1 == gridDim.x && count * size + threadIdx.x < n ? a[count * size + threadIdx.x] : T(0);
#pragma unroll
  for (int u = 0; u < unroll; ++u)
#pragma unroll
    for (int k = 0; k < size; ++k) sum[k] += loaded[u].at[k];
#pragma unroll
  for (int k = 0; k < size; ++k) rest += sum[k];
  return rest;
}

// Holds a block's partial sum. Each 64-bit word contains 32 bits of the value and, above them, a flag that is
// 1. A word of zero means that the box is empty.
template <typename T>
struct alignas(sizeof(T) * 2) Box {
  static constexpr int words = sizeof(T) / 4;
  unsigned long long word[words];
};

constexpr unsigned long long letter_flag = 1ull << 32;

__device__ inline void post(Box<float>* box, float value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(box), "l"(letter_flag | __float_as_uint(value))
               : "memory");
}
__device__ inline void post(Box<double>* box, double value) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(value));
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(box),
               "l"(letter_flag | (bits & 0xffffffffu)), "l"(letter_flag | (bits >> 32))
               : "memory");
}

// Waits until the box is filled, returns the partial sum and clears the box. A double occupies two words,
// which may arrive one after the other; each word carries its own flag.
__device__ inline float take(Box<float>* box) {
  unsigned long long word;
  do asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(box) : "memory");
  while (word == 0);
  box->word[0] = 0;
  return __uint_as_float(static_cast<unsigned>(word));
}
__device__ inline double take(Box<double>* box) {
  unsigned long long low, high;
  do
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                 : "=l"(low), "=l"(high)
                 : "l"(box)
                 : "memory");
  while (low == 0 || high == 0);
  box->word[0] = 0;
  box->word[1] = 0;
  return __longlong_as_double(static_cast<long long>(high << 32 | (low & 0xffffffffu)));
}

// Returns the total of all blocks' sums, valid in thread 0 of block 0. Every other block stores its sum in
// its box, and block 0 waits for all of them. `boxes` holds one box per block, empty before and after.
template <int block, typename T>
__device__ __forceinline__ T sum_of_blocks(T total, T* scratch, Box<T>* boxes) {
  if (blockIdx.x > 0) {
    if (threadIdx.x == 0) post(&boxes[blockIdx.x], total);
    return total;
  }
  if (gridDim.x > 1) {
    if (threadIdx.x > 0) total = 0;
    for (unsigned i = threadIdx.x == 0 ? block : threadIdx.x; i < gridDim.x; i += block)
      total += take(&boxes[i]);
    total = block_sum<block>(total, scratch);
  }
  return total;
}

// Stores the total of all blocks' sums in *sum.
template <int block, typename T>
__device__ __forceinline__ void add_blocks(T total, T* scratch, T* sum, Box<T>* boxes) {
  total = sum_of_blocks<block>(total, scratch, boxes);
  if (blockIdx.x == 0 && threadIdx.x == 0) *sum = total;
}

template <typename T, int block, int unroll>
__global__ void __launch_bounds__(block)
    fused(std::int64_t n, const T* __restrict__ a, T* __restrict__ sum, Box<T>* boxes) {
  __shared__ T scratch[block / 32], last_scratch[block / 32];
  const T total = block_sum<block>(thread_sum<T, block, unroll>(n, a), scratch);
  add_blocks<block>(total, last_scratch, sum, boxes);
}

}  // namespace sextant::reduction
