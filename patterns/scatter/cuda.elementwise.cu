#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void move(std::int64_t n, const std::int32_t* __restrict__ p, const T* __restrict__ a,
                     T* __restrict__ y) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[p[i]] = a[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  move<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const std::int32_t>(0),
                                                            call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant scatter_cuda_elementwise() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "one element a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
