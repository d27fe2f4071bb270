// Right-looking Cholesky factorization in tiles of 32 x 32 elements, in one cooperative launch. In each step
// every block factors the diagonal tile itself, so that no block waits for another. Then each warp solves for
// a tile below it. After a grid barrier the blocks update the remaining matrix with the products of these
// tiles.
#include <cooperative_groups.h>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

constexpr int tile = 32, threads = 256, warps = threads / 32, rows_a_thread = tile / warps;

struct Shape {
  int blocks = 132;
};

template <typename T>
using Tile = T[tile][tile + 1];

// Loads tile (i, j) of L. Outside the matrix the tile is filled with the identity matrix.
template <typename T>
__device__ __forceinline__ void load_tile(int n, const T* l, int i, int j, Tile<T>& to) {
  const int column = static_cast<int>(threadIdx.x) % 32, x = j * tile + column;
#pragma unroll
  for (int r = static_cast<int>(threadIdx.x) / 32; r < tile; r += warps) {
    const int y = i * tile + r;
    to[r][column] = y < n && x < n ? l[static_cast<std::int64_t>(y) * n + x] : T(x == y ? 1 : 0);
  }
}

// One warp factors the tile. Each lane holds one row in registers; shuffles exchange the current column.
// Results above the diagonal are not stored.
template <typename T>
__device__ __forceinline__ void factor_tile(Tile<T>& diagonal) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  T row[tile];
#pragma unroll
  for (int j = 0; j < tile; ++j) row[j] = diagonal[lane][j];
#pragma unroll
  for (int j = 0; j < tile; ++j) {
    __syncwarp();
    const T root = sqrt(__shfl_sync(~0u, row[j], j));
    row[j] = lane == j ? root : row[j] / root;
#pragma unroll
    for (int k = j + 1; k < tile; ++k) row[k] -= row[j] * __shfl_sync(~0u, row[j], k);
  }
#pragma unroll
  for (int j = 0; j < tile; ++j) diagonal[lane][j] = j <= lane ? row[j] : T(0);
}

// Computes row i of L in the 32 columns of step k by forward substitution. Row i lies below the diagonal
// tile. Each lane passes its own row; the whole warp must call it.
template <typename T>
__device__ __forceinline__ void solve_row(int n, const Tile<T>& diagonal, int k, int i, T* l) {
  // Rows exist below the diagonal tile, so the tile has all 32 columns.
  T* const from = l + static_cast<std::int64_t>(min(i, n - 1)) * n + k * tile;
  T row[tile];
#pragma unroll
  for (int j = 0; j < tile; ++j) row[j] = from[j];
#pragma unroll
  for (int j = 0; j < tile; ++j) {
    __syncwarp();  // keeps the compiler from loading the whole diagonal tile ahead of use
    row[j] /= diagonal[j][j];
#pragma unroll
    for (int m = j + 1; m < tile; ++m) row[m] -= row[j] * diagonal[m][j];
  }
#pragma unroll
  for (int j = 0; j < tile; ++j)
    if (i < n) from[j] = row[j];
}

// Updates tile (i, j) with the product of two tiles of the current step. Each thread computes several rows of
// one column.
template <typename T>
__device__ __forceinline__ void subtract_product(int n, int i, int j, const Tile<T>& of_i,
                                                 const Tile<T>& of_j, T* l) {
  const int column = static_cast<int>(threadIdx.x) % 32,
            first = static_cast<int>(threadIdx.x) / 32 * rows_a_thread;
  T sums[rows_a_thread] = {};
#pragma unroll 8
  for (int k = 0; k < tile; ++k) {
    const T factor = of_j[column][k];
#pragma unroll
    for (int r = 0; r < rows_a_thread; ++r) sums[r] += of_i[first + r][k] * factor;
  }
  const int x = j * tile + column;
#pragma unroll
  for (int r = 0; r < rows_a_thread; ++r) {
    const int y = i * tile + first + r;
    if (y < n && x <= y) l[static_cast<std::int64_t>(y) * n + x] -= sums[r];
  }
}

template <typename T>
__global__ void __launch_bounds__(threads, 1) factor(int n, const T* __restrict__ a, T* l) {
  __shared__ Tile<T> first, second;
  const auto grid = cooperative_groups::this_grid();
  const int tiles = (n + tile - 1) / tile, blocks = static_cast<int>(gridDim.x),
            block = static_cast<int>(blockIdx.x);
  for (int y = block; y < n; y += blocks)
    for (int x = static_cast<int>(threadIdx.x); x < n; x += threads)
      l[static_cast<std::int64_t>(y) * n + x] = x <= y ? a[static_cast<std::int64_t>(y) * n + x] : T(0);
  grid.sync();
  for (int k = 0; k < tiles; ++k) {
    const int left = tiles - k - 1;  // number of tiles below the diagonal tile
    const bool has_rows = block * warps < left;
    if (has_rows || block == blocks - 1) {
      load_tile(n, l, k, k, first);
      __syncthreads();
      if (threadIdx.x < 32) factor_tile(first);
      __syncthreads();
    }
    for (int i = block * warps + static_cast<int>(threadIdx.x) / 32; i < left; i += blocks * warps)
      solve_row(n, first, k, (k + 1 + i) * tile + static_cast<int>(threadIdx.x) % 32, l);
    grid.sync();
    if (block == blocks - 1) {  // All blocks have finished reading the diagonal tile.
      const int column = static_cast<int>(threadIdx.x) % 32, x = k * tile + column;
      for (int r = static_cast<int>(threadIdx.x) / 32; r < tile; r += warps) {
        const int y = k * tile + r;
        if (y < n && x <= y) l[static_cast<std::int64_t>(y) * n + x] = first[r][column];
      }
      __syncthreads();
    }
    // The tiles of the remaining triangle are numbered row by row; `at` is the number of this block's next
    // tile.
    int at = block, row = 0;
    for (int before = 0; row < left; before += ++row)
      for (; at < before + row + 1; at += blocks) {
        const int i = k + 1 + row, j = k + 1 + at - before;
        load_tile(n, l, i, k, first);
        load_tile(n, l, j, k, second);
        __syncthreads();
        subtract_product(n, i, j, first, second, l);
        __syncthreads();
      }
    grid.sync();
  }
}

template <typename T>
void launch(const Call& call) {
  int n = static_cast<int>(call.problem.extents.x);
  const T* a = call.array<const T>(0);
  T* l = call.array<T>(1);
  void* arguments[] = {&n, &a, &l};
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(factor<T>),
                              dim3(static_cast<unsigned>(call.tuned<Shape>().blocks)), dim3(threads),
                              arguments, 0, stream_of(call));
}

const char* refuse(const Problem&, const Shape& shape) {
  return shape.blocks > multiprocessors()
             ? "blocks exceeds the number of multiprocessors: all blocks must run at once"
             : nullptr;
}

// Uses one block per tile of the first update, but at most one per multiprocessor.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t left = (problem.extents.x + tile - 1) / tile - 1, most = left * (left + 1) / 2;
  shape.blocks = 1;
  for (const int blocks : {4, 16, 32, 64, 132})
    if (blocks <= multiprocessors() && blocks <= most) shape.blocks = blocks;
}

}  // namespace

std::vector<Variant> cholesky_cuda_cooperative() {
  return {{.name = "cooperative",
           .description = "one cooperative launch on tiles of 32 x 32, two grid barriers per 32 columns",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"blocks", &Shape::blocks, {1, 4, 16, 32, 64, 132}}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>}};
}

}  // namespace sextant
