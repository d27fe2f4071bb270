#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Tiles = Choices<8, 16, 32>;

struct Tile {
  int tile = 16;
};

// A block of tile by tile threads computes one tile of C, an element a thread, from tiles of A and B in
// shared memory; the last, ragged tile is peeled out of the loop, which so needs no bounds checks inside.
template <typename T, int tile>
__global__ void __launch_bounds__(tile* tile)
    matmul_shared_tile(std::int64_t n, const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c) {
  __shared__ T tile_a[tile][tile], tile_b[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) * tile + y;
  const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * tile + x;
  // Threads outside C read its last row and column and store nothing.
  const T* from_a = a + min(row, n - 1) * n;
  const T* from_b = b + min(column, n - 1);
  T sum = 0;
  std::int64_t k0 = 0;
  for (; k0 + tile <= n; k0 += tile) {
    tile_a[y][x] = from_a[k0 + x];
    tile_b[y][x] = from_b[(k0 + y) * n];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  const int rest = static_cast<int>(n - k0);
  if (rest > 0) {
    if (x < rest) tile_a[y][x] = from_a[k0 + x];
    if (y < rest) tile_b[y][x] = from_b[(k0 + y) * n];
    __syncthreads();
    for (int k = 0; k < rest; ++k) sum += tile_a[y][k] * tile_b[k][x];
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  Tiles::with(call.tuned<Tile>().tile, [&]<int tile>() {
    const auto tiles = static_cast<unsigned>((n + tile - 1) / tile);
    matmul_shared_tile<T, tile>
        <<<dim3(tiles, tiles), dim3(tile, tile), 0, static_cast<cudaStream_t>(call.stream)>>>(
            n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

// What lost least on an H200 at the study's sizes.
void adapt(const Problem& problem, Tile& tile) {
  if (problem.extents.x >= 512) tile.tile = 32;
}

}  // namespace

Variant matmul_cuda_shared_tile() {
  Variant variant;
  variant.description = "the study's form: square tiles in shared memory, the ragged last one peeled";
  variant.home = Home::cuda;
  variant.tunables = tunables<Tile>({{"tile", &Tile::tile, Tiles::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
