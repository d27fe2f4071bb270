#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

__global__ void count_all(int w, int limit, const std::int32_t* __restrict__ view,
                          std::int32_t* __restrict__ count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= std::int64_t{w} * w) return;
  const int y = static_cast<int>(i / w), x = static_cast<int>(i - std::int64_t{y} * w);
  count[i] = mandelbrot::steps_of(mandelbrot::place_of(view, x, y), limit);
}

void launch(const Call& call) {
  const int block = call.tuned<Block>().block_size;
  count_all<<<blocks_for(call.problem.extents.count(), block), block, 0, stream_of(call)>>>(
      static_cast<int>(call.problem.extents.x), mandelbrot::limit_of(call.problem),
      call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
}

}  // namespace

Variant mandelbrot_cuda_rows() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a pixel a thread, row by row";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256, 512}}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
