#include "mean.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Block {
  int block_x = 8, block_y = 4, block_z = 8;
};

template <typename T>
__global__ void direct(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  const std::int64_t z = static_cast<std::int64_t>(blockIdx.z) * blockDim.z + threadIdx.z;
  if (x >= n || y >= n || z >= n) return;
  const std::int64_t plane = n * n, i = z * plane + y * n + x;
  const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
  c[i] = border
             ? b[i]
             : stencil3d_7pt::mean(b[i - 1], b[i + 1], b[i - n], b[i + n], b[i - plane], b[i + plane], b[i]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto tuned = call.tuned<Block>();
  const dim3 block(tuned.block_x, tuned.block_y, tuned.block_z);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y), blocks_for(n, block.z));
  direct<<<grid, block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, block.block_x, block.block_y, block.block_z);
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= (std::int64_t{32} << 20))
    block.block_x = 32, block.block_y = 8, block.block_z = 1;
  else if (problem.n < 65'536)
    block.block_x = 32, block.block_y = 2, block.block_z = 2;
  else if (problem.type == ElementType::float64)
    block.block_x = 16, block.block_y = 8, block.block_z = 2;
}

}  // namespace

Variant stencil3d_7pt_cuda_direct() {
  Variant variant;
  variant.description = "one point a thread, neighbours read from global memory";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_x", &Block::block_x, {8, 16, 32, 64, 128}},
                                      {"block_y", &Block::block_y, {1, 2, 4, 8, 16}},
                                      {"block_z", &Block::block_z, {1, 2, 4, 8}}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  return variant;
}

}  // namespace sextant
