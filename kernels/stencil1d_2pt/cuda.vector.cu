#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

// As stream::vector: 16 bytes a thread and item; the neighbours beyond the vector come out of the cache lines
// that the threads beside it are loading.
template <int items, typename T>
__global__ void vector(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  constexpr int length = vector_length<T>;
  const std::int64_t vectors = n / length;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x * items) + threadIdx.x;
  Vector<T, length> own[items];
  T left[items], right[items];
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t v = first + item * blockDim.x, i = v * length;
    if (v < vectors) {
      own[item] = load<length>(b + i);
      left[item] = b[i > 0 ? i - 1 : 0];
      right[item] = b[i + length < n ? i + length : n - 1];
    }
  }
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t v = first + item * blockDim.x;
    if (v < vectors) {
      const Vector<T, length>& x = own[item];
      Vector<T, length> result;
#pragma unroll
      for (int i = 0; i < length; ++i)
        result[i] = static_cast<T>(0.5) *
                    ((i > 0 ? x[i - 1] : left[item]) + (i < length - 1 ? x[i + 1] : right[item]));
      if (v == 0) result[0] = x[0];
      if ((v + 1) * length == n) result[length - 1] = x[length - 1];
      store_streaming(c + v * length, result);
    } else if (const std::int64_t i = vectors * length + (v - vectors); i < n) {
      c[i] = i == 0 || i == n - 1 ? b[i] : static_cast<T>(0.5) * (b[i - 1] + b[i + 1]);
    }
  }
}

using Items = Choices<1, 2>;

struct Block {
  int items_per_thread = 1, block_size = 256;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  const auto tuned = call.tuned<Block>();
  const int block = tuned.block_size;
  Items::with(tuned.items_per_thread, [&]<int items>() {
    vector<items><<<blocks_for(threads, block * items), block, 0, stream_of(call)>>>(
        n, call.array<const T>(0), call.array<T>(1));
  });
}

// What won on an H200: on arrays larger than its L2 cache, and on doubles that fill a good part of it.
void adapt(const Problem& problem, Block& block) {
  const auto bytes = 2 * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  const bool beyond = bytes > (std::int64_t{64} << 20);
  if (beyond) block.block_size = 128;
  if (!beyond && problem.type == ElementType::float64 && bytes > (std::int64_t{8} << 20))
    block.items_per_thread = 2, block.block_size = 128;
}

}  // namespace

Variant stencil1d_2pt_cuda_vector() {
  Variant variant;
  variant.description = "16-byte accesses, neighbours out of the first-level cache";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"items_per_thread", &Block::items_per_thread, Items::list()},
                                      {"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace sextant
