#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

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
    if (!border) {  // a point that is summed has all its neighbours in the grid; those outside the tile are
                    // the halo
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

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const dim3 block(call.tuning[0], call.tuning[1]);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y));
  shared<<<grid, block, (block.x + 2) * (block.y + 2) * sizeof(T), stream_of(call)>>>(
      n, call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant stencil2d_4pt_cuda_shared() {
  Variant variant;
  variant.description = "the study's form: tile and halo in shared memory, one point a thread";
  variant.home = Home::cuda;
  variant.tunables = {{"block_x", {4, 8, 16, 32, 64, 128}, 16}, {"block_y", {1, 2, 4, 8, 16, 32, 64}, 16}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) {
    return refuse_block(problem.extents, tuning[0], tuning[1], 1,
                        (tuning[0] + 2) * (tuning[1] + 2) * element_size(problem.type));
  };
  return variant;
}

}  // namespace sextant
