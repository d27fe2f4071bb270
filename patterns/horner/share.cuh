// What a thread of CUDA's forms has of x and y: some values, by accesses of up to 16 bytes, a block's threads next to each
// other, access after access.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::horner {

using Values = Choices<1, 2, 4, 8, 16>;
using Blocks = Choices<64, 128, 256>;

struct Shape {
  int block_size = 256, values_per_thread = 8;
};

template <int values, typename T>
struct Share {
  static constexpr int width = values < vector_length<T> ? values : vector_length<T>,
                       accesses = values / width;
  T place[values], sum[values];

  // The first place of access a.
  static __device__ __forceinline__ std::int64_t begin(int a) {
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x * values +
           static_cast<std::int64_t>(a * blockDim.x + threadIdx.x) * width;
  }

  __device__ __forceinline__ void load(std::int64_t n, const T* __restrict__ x) {
#pragma unroll
    for (int a = 0; a < accesses; ++a) {
      const std::int64_t i = begin(a);
      if (i + width <= n) {
        const auto vector = sextant::load<width>(x + i);
#pragma unroll
        for (int k = 0; k < width; ++k) place[a * width + k] = vector[k];
      } else {
#pragma unroll
        for (int k = 0; k < width; ++k) place[a * width + k] = i + k < n ? x[i + k] : T(0);
      }
    }
  }

  __device__ __forceinline__ void start(T first) {
#pragma unroll
    for (int v = 0; v < values; ++v) sum[v] = first;
  }

  __device__ __forceinline__ void step(T next) {
#pragma unroll
    for (int v = 0; v < values; ++v) sum[v] = sum[v] * place[v] + next;
  }

  __device__ __forceinline__ void store(std::int64_t n, T* __restrict__ y) const {
#pragma unroll
    for (int a = 0; a < accesses; ++a) {
      const std::int64_t i = begin(a);
      if (i + width <= n) {
        Vector<T, width> vector;
#pragma unroll
        for (int k = 0; k < width; ++k) vector[k] = sum[a * width + k];
        store_streaming(y + i, vector);
      } else {
#pragma unroll
        for (int k = 0; k < width; ++k)
          if (i + k < n) y[i + k] = sum[a * width + k];
      }
    }
  }
};

// Values enough to overlap their steps, but no fewer threads than fill an H200: 132 multiprocessors of 2048.
inline void adapt(const Problem& problem, Shape& shape) {
  shape.values_per_thread = 8;
  while (shape.values_per_thread > 1 && problem.extents.x / shape.values_per_thread < 132 * 2048)
    shape.values_per_thread /= 2;
  if (problem.extents.x < 132 * 2048) shape.block_size = 128;
}

// Calls run.template operator()<values>(blocks, threads of a block).
template <typename Run>
void with_shape(const Call& call, const Run& run) {
  const auto shape = call.tuned<Shape>();
  Values::with(shape.values_per_thread, [&]<int values>() {
    run.template operator()<values>(
        blocks_for(call.problem.extents.x, std::int64_t{shape.block_size} * values), shape.block_size);
  });
}

inline Variant share_variant(const char* description) {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = description;
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"values_per_thread", &Shape::values_per_thread, Values::list()}});
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace sextant::horner
