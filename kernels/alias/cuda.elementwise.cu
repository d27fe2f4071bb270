#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 1024;
};

// Pointers that might overlap: y's value is read back from memory, or from the cache.
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

}  // namespace

Variant alias_cuda_elementwise() {
  Variant variant;
  variant.description = "one element a thread, plain pointers";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
