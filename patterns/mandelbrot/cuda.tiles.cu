#include "suite/tunables.hpp"
#include "tiles.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

__global__ void count_all(int w, std::uint32_t across, int limit, const std::int32_t* __restrict__ view,
                          std::int32_t* __restrict__ count) {
  mandelbrot::do_lane(w, across, static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, limit,
                      view, count);
}

void launch(const Call& call) {
  const std::int64_t w = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  count_all<<<blocks_for(mandelbrot::tiles_of(w) * 32, block), block, 0, stream_of(call)>>>(
      static_cast<int>(w), mandelbrot::tiles_across(w), mandelbrot::limit_of(call.problem),
      call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
}

}  // namespace

Variant mandelbrot_cuda_tiles() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a tile of 8 x 4 pixels for the lanes of a warp";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256, 512}}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
