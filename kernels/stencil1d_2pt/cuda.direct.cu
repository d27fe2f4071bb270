#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 512;
};

template <typename T>
__global__ void direct(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = i == 0 || i == n - 1 ? b[i] : static_cast<T>(0.5) * (b[i - 1] + b[i + 1]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  direct<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

// What lost least on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n < 65'536 || problem.n >= (std::int64_t{8} << 20)) block.block_size = 256;
}

}  // namespace

Variant stencil1d_2pt_cuda_direct() {
  Variant variant;
  variant.description = "one point a thread, neighbours read from global memory";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
