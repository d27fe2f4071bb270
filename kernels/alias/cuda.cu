#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

namespace elementwise {

struct Block {
  int block_size = 1024;
};

// The pointers may alias, so x[i] is read back after it was written.
template <typename T>
__global__ void alias_elementwise(std::int64_t n, T* x, T* y) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = T(1);
  y[i] = x[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  alias_elementwise<T>
      <<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<T>(0), call.array<T>(1));
}

}  // namespace elementwise

namespace vector {

struct Block {
  int block_size = 256;
};

// Each thread handles one 16-byte vector. Elements after the last whole vector are handled by additional
// threads, one each.
template <typename T>
__global__ void alias_vector(std::int64_t n, T* __restrict__ x, T* __restrict__ y) {
  constexpr int length = vector_length<T>;
  const std::int64_t vectors = n / length;
  const std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  Vector<T, length> ones;
#pragma unroll
  for (int k = 0; k < length; ++k) ones[k] = T(1);
  if (v < vectors) {
    store_streaming(x + v * length, ones);
    store_streaming(y + v * length, ones);
  } else if (const std::int64_t i = vectors * length + (v - vectors); i < n) {
    x[i] = y[i] = T(1);
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  const int block = call.tuned<Block>().block_size;
  alias_vector<T>
      <<<blocks_for(threads, block), block, 0, stream_of(call)>>>(n, call.array<T>(0), call.array<T>(1));
}

}  // namespace vector

}  // namespace

std::vector<Variant> alias_cuda() {
  return {
      {.name = "elementwise",
       .description = "one element per thread; plain pointers",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<elementwise::Block>(
           {{"block_size", &elementwise::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(elementwise::launch)},
      {.name = "vector",
       .description = "16-byte streaming stores; restrict pointers",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<vector::Block>({{"block_size", &vector::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(vector::launch)},
  };
}

}  // namespace sextant
