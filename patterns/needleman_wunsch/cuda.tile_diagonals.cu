// A launch a diagonal of square tiles, as peers have it: a tile a block in shared memory, a row a thread.
#include <algorithm>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Tiles = Choices<32, 64>;

struct Shape {
  int tile = 64;
};

__global__ void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i <= n) h[i] = h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
}

// Tile (first + block, d - first - block), with the row above and the column to the left. Cells of one of its diagonals lie in `tile`
// neighbouring banks.
template <int tile>
__global__ void __launch_bounds__(tile)
    fill_tiles(std::int64_t n, std::int64_t d, std::int64_t first, const std::int32_t* __restrict__ a,
               const std::int32_t* __restrict__ b, std::int32_t* h) {
  __shared__ std::int32_t scores[tile + 1][tile + 2];
  __shared__ std::int32_t letters[tile];
  const int r = static_cast<int>(threadIdx.x);
  const std::int64_t top = (first + blockIdx.x) * tile, left = (d - first - blockIdx.x) * tile;
  std::int32_t* const corner = h + top * (n + 1) + left;
  const int rows = static_cast<int>(min(static_cast<std::int64_t>(tile), n - top)),
            columns = static_cast<int>(min(static_cast<std::int64_t>(tile), n - left));
  if (r == 0) scores[0][0] = corner[0];
  if (r < columns) scores[0][r + 1] = corner[r + 1], letters[r] = b[left + r];
  if (r < rows) scores[r + 1][0] = corner[(r + 1) * (n + 1)];
  const std::int32_t letter = r < rows ? a[top + r] : 0;
  __syncthreads();
  for (int step = 0; step < rows + columns - 1; ++step) {
    const int c = step - r;
    if (r < rows && c >= 0 && c < columns)
      scores[r + 1][c + 1] =
          max(scores[r][c] + (letter == letters[c] ? 2 : -1), max(scores[r][c + 1], scores[r + 1][c]) - 2);
    __syncthreads();
  }
  if (r < columns)
    for (int i = 0; i < rows; ++i) corner[(i + 1) * (n + 1) + r + 1] = scores[i + 1][r + 1];
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  auto* h = call.array<std::int32_t>(2);
  fill_borders<<<blocks_for(n + 1, 256), 256, 0, stream_of(call)>>>(n, h);
  Tiles::with(call.tuned<Shape>().tile, [&]<int tile>() {
    const std::int64_t tiles = (n + tile - 1) / tile;
    for (std::int64_t d = 0; d < 2 * tiles - 1; ++d) {
      const std::int64_t first = std::max<std::int64_t>(0, d - tiles + 1), last = std::min(tiles - 1, d);
      fill_tiles<tile><<<static_cast<unsigned>(last - first + 1), tile, 0, stream_of(call)>>>(
          n, d, first, call.array<const std::int32_t>(0), call.array<const std::int32_t>(1), h);
    }
  });
}

}  // namespace

Variant needleman_wunsch_cuda_tile_diagonals() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a launch a diagonal of tiles, a tile a block in shared memory, a row a thread";
  variant.tunables = tunables<Shape>({{"tile", &Shape::tile, Tiles::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
