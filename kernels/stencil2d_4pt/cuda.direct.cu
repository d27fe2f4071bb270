#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

template <typename T>
__global__ void direct(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  const std::int64_t x = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const std::int64_t i = y * n + x;
  const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
  c[i] = border ? b[i] : static_cast<T>(0.25) * ((b[i - 1] + b[i + 1]) + (b[i - n] + b[i + n]));
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const dim3 block(call.tuning[0], call.tuning[1]);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y));
  direct<<<grid, block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant stencil2d_4pt_cuda_direct() {
  Variant variant;
  variant.description = "one point a thread, neighbours read from global memory";
  variant.home = Home::cuda;
  variant.tunables = {{"block_x", {16, 32, 64, 128, 256}, 64}, {"block_y", {1, 2, 4, 8, 16, 32}, 4}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) {
    return refuse_block(problem.extents, tuning[0], tuning[1], 1);
  };
  return variant;
}

}  // namespace sextant
