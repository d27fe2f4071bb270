#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

struct Block {
  int block_x = 32, block_y = 8;
};

template <typename T>
__global__ void convolve(int n, int R, const T* __restrict__ x, const T* __restrict__ w, T* __restrict__ y) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
            j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y), width = 2 * R + 1;
  if (i >= n || j >= n) return;
  T sum = 0;
  for (int b = max(0, R - j); b < min(width, n + R - j); ++b)
    for (int a = max(0, R - i); a < min(width, n + R - i); ++a)
      sum += w[b * width + a] * x[std::int64_t{j + b - R} * n + i + a - R];
  y[std::int64_t{j} * n + i] = sum;
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto tuned = call.tuned<Block>();
  const dim3 block(static_cast<unsigned>(tuned.block_x), static_cast<unsigned>(tuned.block_y));
  convolve<<<dim3(blocks_for(n, tuned.block_x), blocks_for(n, tuned.block_y)), block, 0, stream_of(call)>>>(
      n, static_cast<int>(conv2d::radius_of(call.problem)), call.array<const T>(0), call.array<const T>(1),
      call.array<T>(2));
}

}  // namespace

Variant conv2d_cuda_direct() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a point a thread, everything from caches";
  variant.tunables = tunables<Block>(
      {{"block_x", &Block::block_x, {16, 32, 64, 128}}, {"block_y", &Block::block_y, {1, 2, 4, 8}}});
  variant.constraint = [](const Problem& problem, const int* tuning) {
    const auto block = values_of<Block>(tuning);
    return refuse_block(problem.extents, block.block_x, block.block_y, 1);
  };
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
