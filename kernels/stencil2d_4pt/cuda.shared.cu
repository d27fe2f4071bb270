#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_x = 32, block_y = 8;
};

template <typename T>
__global__ void shared(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int width = static_cast<int>(blockDim.x) + 2;
  T* const tile = reinterpret_cast<T*>(memory) + width + 1;  // its first row and column are the halo's second
  const int u = static_cast<int>(threadIdx.x), v = static_cast<int>(threadIdx.y);
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + u;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + v;
  const bool inside = x < n && y < n;
  const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
  T* const own = tile + v * width + u;
  const std::int64_t i = y * n + x;
  if (inside) {
    own[0] = b[i];
    // A point that is summed has all its neighbours in the grid; those outside the tile are the halo.
    if (!border) {
      if (u == 0) own[-1] = b[i - 1];
      if (u == static_cast<int>(blockDim.x) - 1) own[1] = b[i + 1];
      if (v == 0) own[-width] = b[i - n];
      if (v == static_cast<int>(blockDim.y) - 1) own[width] = b[i + n];
    }
  }
  __syncthreads();
  if (inside)
    c[i] = border ? own[0] : static_cast<T>(0.25) * ((own[-1] + own[1]) + (own[-width] + own[width]));
}

std::size_t tile_bytes(const Block& block, ElementType type) {
  return static_cast<std::size_t>(block.block_x + 2) * (block.block_y + 2) * element_size(type);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto tuned = call.tuned<Block>();
  const dim3 block(tuned.block_x, tuned.block_y);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y));
  shared<<<grid, block, tile_bytes(tuned, call.problem.type), stream_of(call)>>>(n, call.array<const T>(0),
                                                                                 call.array<T>(1));
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, block.block_x, block.block_y, 1, tile_bytes(block, problem.type));
}

// What won on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n >= (std::int64_t{4} << 20)) block.block_y = 4;
}

}  // namespace

Variant stencil2d_4pt_cuda_shared() {
  Variant variant;
  variant.description = "the study's form: tile and halo in shared memory, one point a thread";
  variant.home = Home::cuda;
  variant.tunables = tunables<Block>({{"block_x", &Block::block_x, {4, 8, 16, 32, 64, 128}},
                                      {"block_y", &Block::block_y, {1, 2, 4, 8, 16, 32, 64}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace sextant
