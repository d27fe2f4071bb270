// Device functions that read keys and count them in per-block tables. The CUDA variants differ only in how
// they count a key.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::histogram {

inline constexpr int width = 4;  // keys per 16-byte vector

// Calls count(key, counts) for each key of the calling thread. The thread loads `items` vectors of 16 bytes
// before it uses the first. All lanes of a warp call `count` together; `counts` is false on lanes without a
// key.
template <int items, typename Count>
__device__ __forceinline__ void for_keys(std::int64_t n, const std::int32_t* __restrict__ k,
                                         const Count& count) {
  const std::int64_t vectors = (n + width - 1) / width;
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::int64_t base = thread - threadIdx.x % 32; base < vectors; base += items * threads) {
    Vector<std::int32_t, width> keys[items];
    unsigned there = 0;
#pragma unroll
    for (int item = 0; item < items; ++item) {
      const std::int64_t v = base + threadIdx.x % 32 + item * threads;
      if ((v + 1) * width <= n) {
        keys[item] = load<width>(k + v * width);
        there |= 15u << (item * width);
      } else {
#pragma unroll
        for (int e = 0; e < width; ++e)
          if (v * width + e < n) keys[item][e] = k[v * width + e], there |= 1u << (item * width + e);
      }
    }
#pragma unroll
    for (int item = 0; item < items; ++item)
#pragma unroll
      for (int e = 0; e < width; ++e) {
        const bool counts = (there >> (item * width + e) & 1) != 0;
        count(counts ? keys[item][e] : 0, counts);
      }
  }
}

using Blocks = Choices<256, 512, 1024>;
using Items = Choices<1, 2, 4>;

// The selectable numbers of blocks suit the 132 multiprocessors of an H200.
struct Shape {
  int block_size = 512, items_per_thread = 2, blocks = 528;
};
constexpr std::int64_t few_keys = 4 << 20;
inline const std::vector<int> block_counts = {132, 264, 528, 1056};

inline Variant shape_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"items_per_thread", &Shape::items_per_thread, Items::list()},
                                      {"blocks", &Shape::blocks, block_counts}});
  return variant;
}

// Returns `blocks`, or fewer if some threads would have no 16-byte vector.
inline unsigned blocks_of(const Problem& problem, int blocks, int block_size) {
  const std::int64_t vectors = (problem.extents.x + width - 1) / width;
  return static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, (vectors + block_size - 1) / block_size));
}

inline void clear_bins(const Call& call) {
  cudaMemsetAsync(call.array<std::int32_t>(1), 0,
                  static_cast<std::size_t>(bins_of(call.problem)) * sizeof(std::int32_t), stream_of(call));
}

// Each block counts in a table in shared memory and then adds its table to c, which is zero before the
// launch. `How` defines the table: its size in words, count(table, key, counts), and of(table, bin). The
// whole warp must call `count`.
template <typename How, int items>
__global__ void count_in_tables(std::int64_t n, const std::int32_t* __restrict__ k, std::int32_t* c) {
  __shared__ std::int32_t table[How::words];
  const int threads = static_cast<int>(blockDim.x), thread = static_cast<int>(threadIdx.x);
  for (int word = thread; word < How::words; word += threads) table[word] = 0;
  __syncthreads();
  for_keys<items>(n, k, [](std::int32_t key, bool counts) { How::count(table, key, counts); });
  __syncthreads();
  for (int b = thread; b < few_bins; b += threads) {
    const std::int32_t sum = How::of(table, b);
    if (sum != 0) atomicAdd(&c[b], sum);
  }
}

template <typename How>
void count_few(const Call& call, const Shape& shape) {
  clear_bins(call);
  Items::with(shape.items_per_thread, [&]<int items>() {
    count_in_tables<How, items>
        <<<blocks_of(call.problem, shape.blocks, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
            call.problem.extents.x, call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
  });
}

// Chooses the fastest settings for few keys, as measured on an H200 with 2^20 keys. One block per
// multiprocessor is best, because each block adds its whole table to c at the end.
template <typename Shape>
void adapt_to_few(const Problem& problem, Shape& shape) {
  if (problem.extents.x <= few_keys) shape.block_size = 1024, shape.items_per_thread = 1, shape.blocks = 132;
}

template <typename How>
Variant table_variant(const char* description) {
  Variant variant = shape_variant(description);
  variant.adapt = by_name<adapt_to_few<Shape>>;
  variant.launch.int32 = [](const Call& call) { count_few<How>(call, call.tuned<Shape>()); };
  variant.constraint = refuse_many_bins;
  return variant;
}

}  // namespace sextant::histogram
