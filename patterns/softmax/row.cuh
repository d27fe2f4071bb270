// Softmax of rows on a GPU: a thread's elements in registers, and reductions over lanes and blocks.
#pragma once

#include <limits>

#include "loop.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant::softmax {

// value of missing elements; its exponential is 0
template <typename T>
inline constexpr T least_number = std::numeric_limits<T>::lowest();

// Computes e^x for x <= 0. The float version uses the GPU's base-2 exponential instruction.
__device__ __forceinline__ float exponential(float x) { return exp2f(x * 1.4426950408889634f); }
__device__ __forceinline__ double exponential(double x) { return exp(x); }

// Calls function.template operator()<width>(), where width is the number of elements per access: 16 bytes if
// rows are aligned to 16 bytes, otherwise one element.
template <typename T, typename Function>
void with_width(const Problem& problem, Function&& function) {
  if (columns_of(problem) % vector_length<T> == 0)
    function.template operator()<vector_length<T>>();
  else
    function.template operator()<1>();
}

// The elements of a row that the calling thread keeps in registers. Vectors are distributed cyclically over
// `threads` threads.
template <int threads, int elements, int width, typename T>
struct Part {
  static constexpr int vectors = elements / width, capacity = threads * elements;
  Vector<T, width> at[vectors];

  __device__ __forceinline__ void load(const T* __restrict__ row, int columns, int thread) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const int c = (thread + v * threads) * width;
      if (c < columns)
        at[v] = sextant::load<width>(row + c);
      else
#pragma unroll
        for (int k = 0; k < width; ++k) at[v][k] = least_number<T>;
    }
  }

  __device__ __forceinline__ T largest() const {
    T most = least_number<T>;
#pragma unroll
    for (int v = 0; v < vectors; ++v)
#pragma unroll
      for (int k = 0; k < width; ++k) most = max(most, at[v][k]);
    return most;
  }

  // Replaces the elements by exp(element - most) and returns the sum of the results.
  __device__ __forceinline__ T take_powers(T most) {
    T sum = 0;
#pragma unroll
    for (int v = 0; v < vectors; ++v)
#pragma unroll
      for (int k = 0; k < width; ++k) sum += at[v][k] = exponential(at[v][k] - most);
    return sum;
  }

  __device__ __forceinline__ void store(T* __restrict__ row, int columns, int thread, T factor) {
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
      const int c = (thread + v * threads) * width;
#pragma unroll
      for (int k = 0; k < width; ++k) at[v][k] *= factor;
      if (c < columns) store_streaming(row + c, at[v]);
    }
  }
};

struct Largest {
  template <typename T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return max(a, b);
  }
};
struct Sum {
  template <typename T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return a + b;
  }
};

// Reduces over `lanes` neighbouring lanes of a warp. Every lane receives the result.
template <int lanes, typename Operation, typename T>
__device__ __forceinline__ T of_lanes(T value, Operation operation) {
#pragma unroll
  for (int step = lanes / 2; step > 0; step /= 2) value = operation(value, __shfl_xor_sync(~0u, value, step));
  return value;
}

// Reduces over the block. Every thread receives the result. `none` is the operation's neutral element.
// `of_warps` is shared memory for one value per warp and may be reused after the next barrier.
template <int block, typename Operation, typename T>
__device__ __forceinline__ T of_block(T value, Operation operation, T none, T* of_warps) {
  constexpr int warps = block / 32;
  value = of_lanes<32>(value, operation);
  if constexpr (warps == 1) return value;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (lane == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  return of_lanes<32>(lane < warps ? of_warps[lane] : none, operation);
}

// The maximum of some elements, and the sum of their exponentials relative to it.
template <typename T>
struct Extent {
  T most = least_number<T>, sum = 0;

  __device__ __forceinline__ void join(T other_most, T other_sum) {
    const T both = max(most, other_most);
    sum = sum * exponential(most - both) + other_sum * exponential(other_most - both);
    most = both;
  }
};

inline constexpr int under_way = 4;  // vectors that a thread loads at once if it does not keep the row

// Online softmax: computes maximum and sum of the calling thread's elements among begin … end - 1 of a row in
// one pass. The elements are distributed over `block` threads. `begin` is a multiple of `width`.
template <int block, int width, typename T>
__device__ __forceinline__ Extent<T> extent_of(const T* __restrict__ row, int begin, int end) {
  Extent<T> all;
  for (int first = begin; first < end; first += under_way * block * width) {
    Part<block, under_way * width, width, T> part;
    part.load(row + first, end - first, static_cast<int>(threadIdx.x));
    const T most = max(all.most, part.largest());
    all.sum = all.sum * exponential(all.most - most) + part.take_powers(most);
    all.most = most;
  }
  return all;
}

// Combines maximum and sum over the block. Every thread receives the result. `of_warps` is shared memory for
// two values per warp.
template <int block, typename T>
__device__ __forceinline__ Extent<T> of_block(const Extent<T>& mine, T* of_warps) {
  Extent<T> all;
  all.most = of_block<block>(mine.most, Largest(), least_number<T>, of_warps);
  all.sum = of_block<block>(mine.sum * exponential(mine.most - all.most), Sum(), T(0), of_warps + block / 32);
  return all;
}

// Writes the results for the calling thread's elements among begin … end - 1.
template <int block, int width, typename T>
__device__ __forceinline__ void write_powers(const T* __restrict__ row, int begin, int end,
                                             const Extent<T>& of_row, T* __restrict__ to) {
  const T factor = 1 / of_row.sum;
  for (int first = begin; first < end; first += under_way * block * width) {
    Part<block, under_way * width, width, T> part;
    part.load(row + first, end - first, static_cast<int>(threadIdx.x));
    part.take_powers(of_row.most);
    part.store(to + first, end - first, static_cast<int>(threadIdx.x), factor);
  }
}

}  // namespace sextant::softmax
