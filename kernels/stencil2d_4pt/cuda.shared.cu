#include "suite/vector.cuh"

namespace sextant {
namespace {

template <typename T>
__global__ void shared(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const tile = reinterpret_cast<T*>(memory);
  const int width = static_cast<int>(blockDim.x) + 2, height = static_cast<int>(blockDim.y) + 2;
  const std::int64_t left = static_cast<std::int64_t>(blockIdx.x) * blockDim.x - 1;
  const std::int64_t top = static_cast<std::int64_t>(blockIdx.y) * blockDim.y - 1;
  for (int v = threadIdx.y; v < height; v += blockDim.y)
    for (int u = threadIdx.x; u < width; u += blockDim.x) {
      const std::int64_t x = left + u, y = top + v;
      if (x >= 0 && x < n && y >= 0 && y < n) tile[v * width + u] = b[y * n + x];
    }
  __syncthreads();
  const std::int64_t x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  if (x >= n || y >= n) return;
  const T* const at = tile + (threadIdx.y + 1) * width + threadIdx.x + 1;
  const bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
  c[y * n + x] = border ? at[0] : static_cast<T>(0.25) * ((at[-1] + at[1]) + (at[-width] + at[width]));
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
