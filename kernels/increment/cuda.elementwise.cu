#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 1024;
};

template <typename T>
__global__ void increment_elementwise(std::int64_t n, T* a) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] + T(1);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  for (std::int64_t loop = 0; loop < increment::loops(call); ++loop)
    increment_elementwise<T><<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<T>(0));
}

}  // namespace

Variant increment_cuda_elementwise() {
  Variant variant;
  variant.description = "a kernel a loop, one element a thread";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
