#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 64;
};

template <typename T>
__global__ void columns(std::int64_t n, const T* b, T* c) {
  const std::int64_t x = blockIdx.x, y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (y < n) c[y * n + x] = b[y * n + x];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const dim3 block(1, call.tuned<Block>().block_size);
  const dim3 grid(static_cast<unsigned>(n), blocks_for(n, block.y));
  columns<<<grid, block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, 1, block.block_size, 1);
}

}  // namespace

Variant rows_cuda_columns() {
  Variant variant;
  variant.description = "the study's form: blocks of 1 x T threads, one element a thread, down a column";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  return variant;
}

}  // namespace sextant
