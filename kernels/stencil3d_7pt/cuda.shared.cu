#include "mean.cuh"

namespace sextant {
namespace {

template <typename T>
__global__ void shared(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const tile = reinterpret_cast<T*>(memory);
  const int width = static_cast<int>(blockDim.x) + 2, height = static_cast<int>(blockDim.y) + 2;
  const int depth = static_cast<int>(blockDim.z) + 2;
  const std::int64_t plane = n * n;
  const std::int64_t x0 = static_cast<std::int64_t>(blockIdx.x) * blockDim.x - 1;
  const std::int64_t y0 = static_cast<std::int64_t>(blockIdx.y) * blockDim.y - 1;
  const std::int64_t z0 = static_cast<std::int64_t>(blockIdx.z) * blockDim.z - 1;
  for (int w = threadIdx.z; w < depth; w += blockDim.z)
    for (int v = threadIdx.y; v < height; v += blockDim.y)
      for (int u = threadIdx.x; u < width; u += blockDim.x) {
        const std::int64_t x = x0 + u, y = y0 + v, z = z0 + w;
        if (x >= 0 && x < n && y >= 0 && y < n && z >= 0 && z < n)
          tile[(w * height + v) * width + u] = b[z * plane + y * n + x];
      }
  __syncthreads();
  const std::int64_t x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y, z = z0 + 1 + threadIdx.z;
  if (x >= n || y >= n || z >= n) return;
  const int sheet = height * width;
  const T* const at = tile + (threadIdx.z + 1) * sheet + (threadIdx.y + 1) * width + threadIdx.x + 1;
  const bool border = x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
  c[z * plane + y * n + x] =
      border ? at[0]
             : stencil3d_7pt::mean(at[-1], at[1], at[-width], at[width], at[-sheet], at[sheet], at[0]);
}

std::size_t tile_bytes(const int* block, ElementType type) {
  return static_cast<std::size_t>(block[0] + 2) * (block[1] + 2) * (block[2] + 2) * element_size(type);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const dim3 block(call.tuning[0], call.tuning[1], call.tuning[2]);
  const dim3 grid(blocks_for(n, block.x), blocks_for(n, block.y), blocks_for(n, block.z));
  shared<<<grid, block, tile_bytes(call.tuning, call.problem.type), stream_of(call)>>>(
      n, call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant stencil3d_7pt_cuda_shared() {
  Variant variant;
  variant.description = "the study's form: tile and halo in shared memory, one point a thread";
  variant.home = Home::cuda;
  variant.tunables = {{"block_x", {4, 8, 16, 32, 64, 128}, 8},
                      {"block_y", {1, 2, 4, 8, 16, 32}, 8},
                      {"block_z", {1, 2, 4, 8, 16, 32}, 8}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.constraint = [](const Problem& problem, const int* tuning) {
    return refuse_block(problem.extents, tuning[0], tuning[1], tuning[2], tile_bytes(tuning, problem.type));
  };
  return variant;
}

}  // namespace sextant
