// Tiles in shared memory, a pair a thread, three launches for a tile's vertices: paths among them; tiles beside and above; the rest.
#include "min_plus.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Tiles = Choices<8, 16, 32>;

struct Shape {
  int tile = 32;
};

template <typename T, int tile>
using Square = T[tile][tile + 1];

// The calling thread's element of tile (i, j); beyond the matrix there are no paths.
template <int tile, typename T>
__device__ __forceinline__ T element(std::int64_t n, const T* d, unsigned i, unsigned j) {
  const std::int64_t y = static_cast<std::int64_t>(i) * tile + threadIdx.y,
                     x = static_cast<std::int64_t>(j) * tile + threadIdx.x;
  return y < n && x < n ? d[y * n + x] : static_cast<T>(floyd_warshall::far);
}
template <int tile, typename T>
__device__ __forceinline__ void store(std::int64_t n, T* d, unsigned i, unsigned j, T value) {
  const std::int64_t y = static_cast<std::int64_t>(i) * tile + threadIdx.y,
                     x = static_cast<std::int64_t>(j) * tile + threadIdx.x;
  if (y < n && x < n) d[y * n + x] = value;
}

// Only what becomes smaller is written: nothing in row p and column p in step p.
template <int tile, typename T>
__global__ void __launch_bounds__(tile* tile) close(std::int64_t n, unsigned k, T* d) {
  __shared__ Square<T, tile> among;
  T least = among[threadIdx.y][threadIdx.x] = element<tile>(n, d, k, k);
  for (int p = 0; p < tile; ++p) {
    __syncthreads();
    const T over = among[threadIdx.y][p] + among[p][threadIdx.x];
    if (over < least) among[threadIdx.y][threadIdx.x] = least = over;
  }
  store<tile>(n, d, k, k, least);
}

// Tiles of block row k (blockIdx.y 0) and of block column k.
template <int tile, typename T>
__global__ void __launch_bounds__(tile* tile) cross(std::int64_t n, unsigned k, T* d) {
  if (blockIdx.x == k) return;
  __shared__ Square<T, tile> first, second;
  const unsigned i = blockIdx.y == 0 ? k : blockIdx.x, j = blockIdx.y == 0 ? blockIdx.x : k;
  first[threadIdx.y][threadIdx.x] = element<tile>(n, d, i, k);
  second[threadIdx.y][threadIdx.x] = element<tile>(n, d, k, j);
  __syncthreads();
  T least = static_cast<T>(floyd_warshall::far);
  for (int p = 0; p < tile; ++p)
    least = floyd_warshall::relaxed(least, first[threadIdx.y][p], second[p][threadIdx.x]);
  store<tile>(n, d, i, j, least);
}

template <int tile, typename T>
__global__ void __launch_bounds__(tile* tile) rest(std::int64_t n, unsigned k, T* d) {
  if (blockIdx.x == k || blockIdx.y == k) return;
  __shared__ Square<T, tile> first, second;
  T least = element<tile>(n, d, blockIdx.y, blockIdx.x);
  first[threadIdx.y][threadIdx.x] = element<tile>(n, d, blockIdx.y, k);
  second[threadIdx.y][threadIdx.x] = element<tile>(n, d, k, blockIdx.x);
  __syncthreads();
#pragma unroll
  for (int p = 0; p < tile; ++p)
    least = floyd_warshall::relaxed(least, first[threadIdx.y][p], second[p][threadIdx.x]);
  store<tile>(n, d, blockIdx.y, blockIdx.x, least);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* d = call.array<T>(1);
  cudaMemcpyAsync(d, call.array<const T>(0), static_cast<std::size_t>(n * n) * sizeof(T),
                  cudaMemcpyDeviceToDevice, stream_of(call));
  Tiles::with(call.tuned<Shape>().tile, [&]<int tile>() {
    const unsigned tiles = blocks_for(n, tile);
    const dim3 block(tile, tile);
    for (unsigned k = 0; k < tiles; ++k) {
      close<tile><<<1, block, 0, stream_of(call)>>>(n, k, d);
      if (tiles == 1) break;
      cross<tile><<<dim3(tiles, 2), block, 0, stream_of(call)>>>(n, k, d);
      rest<tile><<<dim3(tiles, tiles), block, 0, stream_of(call)>>>(n, k, d);
    }
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return refuse_block(problem.extents, shape.tile, shape.tile, 1);
}

}  // namespace

Variant floyd_warshall_cuda_blocked() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "tiles in shared memory, a pair a thread: three launches for a tile's vertices";
  variant.tunables = tunables<Shape>({{"tile", &Shape::tile, Tiles::list()}});
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
