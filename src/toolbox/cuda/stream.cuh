// CUDA variants of kernels that compute c[i] from a[i] and b[i], or from a[i] alone. The operation is a
// functor:
//
//     struct Operation {
//       static constexpr int inputs = 2;
//       template <typename T> __device__ T operator()(T a, T b) const;
//     };
#pragma once

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant::stream {

struct Copy {
  static constexpr int inputs = 1;
  template <typename T>
  __device__ T operator()(T b, T) const {
    return b;
  }
};

template <typename Operation, typename T>
__global__ void elementwise(std::int64_t n, const T* a, const T* b, T* c) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) c[i] = Operation{}(a[i], Operation::inputs == 2 ? b[i] : T{});
}

struct Block {
  int block_size = 512;
};

template <typename Operation, typename T>
void launch_elementwise(const Call& call) {
  const std::int64_t n = call.problem.extents.x * call.problem.extents.y;
  const int block = call.tuned<Block>().block_size;
  elementwise<Operation, T><<<blocks_for(n, block), block, 0, stream_of(call)>>>(
      n, call.array<const T>(0), call.array<const T>(Operation::inputs - 1),
      call.array<T>(Operation::inputs));
}

// Sets the block size that is the best compromise over problem sizes on an H200.
inline void adapt_elementwise(const Problem& problem, Block& block) {
  if (problem.n >= (std::int64_t{8} << 20)) block.block_size = 256;
}

template <typename Operation>
Variant elementwise_variant() {
  Variant variant;
  variant.description = "one element per thread: the study's kernel";
  variant.memory_space = MemorySpace::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.adapt = by_name<adapt_elementwise>;
  variant.launch = {.float32 = launch_elementwise<Operation, float>,
                    .float64 = launch_elementwise<Operation, double>};
  return variant;
}

// Thread t of a block of `block` threads handles `items` vectors: t, t + block, and so on. It loads all of
// them before it stores the first. Elements after the last whole vector go to further threads, one each.
template <typename Operation, int items, typename T>
__global__ void vector(std::int64_t n, const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c) {
  constexpr int length = vector_length<T>;
  const std::int64_t vectors = n / length;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x * items) + threadIdx.x;
  Vector<T, length> from_a[items], from_b[items];
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t v = first + item * blockDim.x;
    if (v < vectors) {
      from_a[item] = load<length>(a + v * length);
      if constexpr (Operation::inputs == 2) from_b[item] = load<length>(b + v * length);
    }
  }
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t v = first + item * blockDim.x;
    if (v < vectors) {
      Vector<T, length> result;
#pragma unroll
      for (int i = 0; i < length; ++i)
        result[i] = Operation{}(from_a[item][i], Operation::inputs == 2 ? from_b[item][i] : T{});
      store_streaming(c + v * length, result);
    } else if (const std::int64_t i = vectors * length + (v - vectors); i < n) {
      c[i] = Operation{}(a[i], Operation::inputs == 2 ? b[i] : T{});
    }
  }
}

using Items = Choices<1, 2, 4>;

struct VectorBlock {
  int items_per_thread = 1, block_size = 256;
};

template <typename Operation, typename T>
void launch_vector(const Call& call) {
  const std::int64_t n = call.problem.extents.x * call.problem.extents.y;
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  const auto tuned = call.tuned<VectorBlock>();
  const int block = tuned.block_size;
  Items::with(tuned.items_per_thread, [&]<int items>() {
    vector<Operation, items><<<blocks_for(threads, block * items), block, 0, stream_of(call)>>>(
        n, call.array<const T>(0), call.array<const T>(Operation::inputs - 1),
        call.array<T>(Operation::inputs));
  });
}

// Sets the fastest tuning on an H200, which depends on whether the arrays fit in the L2 cache.
template <typename Operation>
void adapt_vector(const Problem& problem, VectorBlock& block) {
  constexpr std::int64_t cached_bytes = std::int64_t{64} << 20;
  const std::int64_t bytes = problem.extents.count() * (Operation::inputs + 1) *
                             static_cast<std::int64_t>(element_size(problem.type));
  if (bytes > cached_bytes)
    block.block_size = Operation::inputs == 2 ? 1024 : 128;
  else if (Operation::inputs == 2 && bytes > cached_bytes / 16)
    block.block_size = 512;
  else if (Operation::inputs == 1 && problem.type == ElementType::float64 && bytes > cached_bytes / 8)
    block.items_per_thread = 2, block.block_size = 128;
}

template <typename Operation>
Variant vector_variant() {
  Variant variant;
  variant.description = "16-byte vectors, items_per_thread per thread, streaming stores";
  variant.memory_space = MemorySpace::cuda;
  variant.tunables =
      tunables<VectorBlock>({{"items_per_thread", &VectorBlock::items_per_thread, Items::list()},
                             {"block_size", &VectorBlock::block_size, BlockSizes::list()}});
  variant.launch = {.float32 = launch_vector<Operation, float>, .float64 = launch_vector<Operation, double>};
  variant.adapt = by_name<adapt_vector<Operation>>;
  return variant;
}

}  // namespace sextant::stream
