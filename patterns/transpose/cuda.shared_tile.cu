// The classic: a tile is read in order into shared memory and written in order from there; a column of padding keeps its
// columns in different banks.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Rows = Choices<2, 4, 8, 16, 32>;
constexpr int side = 32;

struct Block {
  int block_y = 8;
};

// Tiles are numbered along a's rows; `across` of them stand side by side.
template <int block_y, typename T>
__global__ void __launch_bounds__(side* block_y)
    turn(std::int64_t rows, std::int64_t columns, unsigned across, const T* __restrict__ a,
         T* __restrict__ y) {
  __shared__ T tile[side][side + 1];
  const std::int64_t i0 = std::int64_t{blockIdx.x / across} * side,
                     j0 = std::int64_t{blockIdx.x % across} * side;
  const int x = static_cast<int>(threadIdx.x), first = static_cast<int>(threadIdx.y);
#pragma unroll
  for (int r = 0; r < side; r += block_y)
    if (j0 + x < columns && i0 + first + r < rows)
      tile[first + r][x] = a[(i0 + first + r) * columns + j0 + x];
  __syncthreads();
#pragma unroll
  for (int r = 0; r < side; r += block_y)
    if (i0 + x < rows && j0 + first + r < columns) y[(j0 + first + r) * rows + i0 + x] = tile[x][first + r];
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const unsigned across = blocks_for(extents.x, side), down = blocks_for(extents.y, side);
  Rows::with(call.tuned<Block>().block_y, [&]<int block_y>() {
    turn<block_y><<<across * down, dim3(side, block_y), 0, stream_of(call)>>>(
        extents.y, extents.x, across, call.array<const T>(0), call.array<T>(1));
  });
}

const char* refuse(const Problem& problem, const Block&) {
  const auto tiles = [](std::int64_t length) { return (length + side - 1) / side; };
  return tiles(problem.extents.x) * tiles(problem.extents.y) > INT32_MAX ? "more tiles than a grid has blocks"
                                                                         : nullptr;
}

}  // namespace

Variant transpose_cuda_shared_tile() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "tiles of 32 x 32 through shared memory with a column of padding";
  variant.tunables = tunables<Block>({{"block_y", &Block::block_y, Rows::list()}});
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
