#include "mean.cuh"

namespace sextant {
namespace {

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
  const dim3 block(call.tuning[0], call.tuning[1], call.tuning[2]);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y), blocks_for(n, block.z));
  direct<<<grid, block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant stencil3d_7pt_cuda_direct() {
  Variant variant;
  variant.description = "one point a thread, neighbours read from global memory";
  variant.home = Home::cuda;
  variant.tunables = {
      {"block_x", {8, 16, 32, 64, 128}, 32}, {"block_y", {1, 2, 4, 8, 16}, 8}, {"block_z", {1, 2, 4, 8}, 1}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) {
    return refuse_block(problem.extents, tuning[0], tuning[1], tuning[2]);
  };
  return variant;
}

}  // namespace sextant
