// The textbook's form: a block brings its tile of x with a rim of R points into
// shared memory. A thread computes some points of a column, for which it reads
// each weight once.
#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Rows = Choices<1, 2, 4>;  // of a thread
using Heights = Choices<4, 8, 16>;
constexpr int across = 32;  // points of a tile, and threads

struct Tile {
  int rows = 4, block_y = 8;
};

template <int R, int rows, int block_y, typename T>
__global__ void __launch_bounds__(across* block_y)
    convolve(int n, const T* __restrict__ x, const T* __restrict__ w, T* __restrict__ y) {
  constexpr int width = 2 * R + 1, height = rows * block_y, tile_x = across + 2 * R, tile_y = height + 2 * R;
  __shared__ T tile[tile_y][tile_x], weights[width * width];
  const int thread_x = static_cast<int>(threadIdx.x), thread_y = static_cast<int>(threadIdx.y),
            thread = thread_y * across + thread_x;
  const int left = static_cast<int>(blockIdx.x) * across, top = static_cast<int>(blockIdx.y) * height;
  for (int t = thread; t < width * width; t += across * block_y) weights[t] = w[t];
  for (int ty = thread_y; ty < tile_y; ty += block_y)
    for (int tx = thread_x; tx < tile_x; tx += across) {
      const int i = left + tx - R, j = top + ty - R;
      tile[ty][tx] = i >= 0 && i < n && j >= 0 && j < n ? x[std::int64_t{j} * n + i] : T(0);
    }
  __syncthreads();
  T sums[rows] = {};
#pragma unroll 1
  for (int b = 0; b < width; ++b)
#pragma unroll
    for (int a = 0; a < width; ++a) {
      const T weight = weights[b * width + a];
#pragma unroll
      for (int r = 0; r < rows; ++r) sums[r] += weight * tile[thread_y + r * block_y + b][thread_x + a];
    }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int i = left + thread_x, j = top + thread_y + r * block_y;
    if (i < n && j < n) y[std::int64_t{j} * n + i] = sums[r];
  }
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto shape = call.tuned<Tile>();
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
    Rows::with(shape.rows, [&]<int rows>() {
      Heights::with(shape.block_y, [&]<int block_y>() {
        convolve<R, rows, block_y>
            <<<dim3(blocks_for(n, across), blocks_for(n, rows * block_y)), dim3(across, block_y), 0,
               stream_of(call)>>>(n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
      });
    });
  });
}

}  // namespace

Variant conv2d_cuda_shared_tile() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a tile with its rim in shared memory, some points of a column a thread";
  variant.tunables =
      tunables<Tile>({{"rows", &Tile::rows, Rows::list()}, {"block_y", &Tile::block_y, Heights::list()}});
  variant.constraint = [](const Problem& problem, const int* tuning) {
    const auto tile = values_of<Tile>(tuning);
    return refuse_block(problem.extents, across, tile.block_y, 1);
  };
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
