#include <algorithm>

#include "loop.hpp"
#include "strips.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

__global__ void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i <= n) h[i] = h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
}

// The form one writes first: a launch a diagonal, a cell a thread.
namespace diagonals {

struct Block {
  int block_size = 128;
};

// Cells (i, d - i) from row `first` to `last`.
__global__ void fill_diagonal(std::int64_t n, std::int64_t d, std::int64_t first, std::int64_t last,
                              const std::int32_t* __restrict__ a, const std::int32_t* __restrict__ b,
                              std::int32_t* h) {
  const std::int64_t i = first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i <= last) h[i * (n + 1) + d - i] = needleman_wunsch::cell(n, i, d - i, a[i - 1], b[d - i - 1], h);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  auto* h = call.array<std::int32_t>(2);
  fill_borders<<<blocks_for(n + 1, block), block, 0, stream_of(call)>>>(n, h);
  for (std::int64_t d = 2; d <= 2 * n; ++d) {
    const std::int64_t first = std::max<std::int64_t>(1, d - n), last = std::min(n, d - 1);
    fill_diagonal<<<blocks_for(last - first + 1, block), block, 0, stream_of(call)>>>(
        n, d, first, last, call.array<const std::int32_t>(0), call.array<const std::int32_t>(1), h);
  }
}

}  // namespace diagonals

// One launch: a warp a strip of rows, which walks along it; strips wait for each other's last rows (strips.cuh).
namespace shuffle {

using namespace needleman_wunsch;
using Rows = Choices<1, 2, 4>;

struct Shape {
  int rows = 4;  // a lane
};

template <int rows>
__global__ void __launch_bounds__(threads) fill_strips(Strips all) {
  __shared__ __align__(16) std::int32_t scores[2][32 * lane_step<rows>];
  __shared__ std::int32_t top[2][run];
  __shared__ lookback::Tile taken;
  if (threadIdx.x == 0) taken = lookback::take(all.board);
  __syncthreads();
  const int number = static_cast<int>(taken.number);
  fill_strip<rows>(all, {number, number * 32 * rows, taken.epoch}, top, scores);
}

std::int64_t strips_of(const Problem& problem, const Shape& shape) {
  const std::int64_t rows = std::int64_t{32} * shape.rows;
  return (problem.extents.x + rows - 1) / rows;
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto strips = static_cast<int>(strips_of(call.problem, shape));
  const Strips all = {static_cast<int>(call.problem.extents.x),
                      strips,
                      call.array<const std::int32_t>(0),
                      call.array<const std::int32_t>(1),
                      call.array<std::int32_t>(2),
                      static_cast<const lookback::Tickets*>(call.state)->board<std::int32_t>()};
  Rows::with(shape.rows, [&]<int rows>() {
    fill_strips<rows><<<static_cast<unsigned>(strips), threads, 0, stream_of(call)>>>(all);
  });
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(strips_of(problem, shape) * problem.extents.x, sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(strips_of(call.problem, call.tuned<Shape>()) * call.problem.extents.x,
                                   sizeof(std::int32_t), state);
}

}  // namespace shuffle

// A launch a diagonal of square tiles, as peers have it: a tile a block in shared memory, a row a thread.
namespace tile_diagonals {

using Tiles = Choices<32, 64>;

struct Shape {
  int tile = 64;
};

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

}  // namespace tile_diagonals

}  // namespace

std::vector<Variant> needleman_wunsch_cuda() {
  return {
      {.name = "diagonals",
       .description = "the form one writes first: a launch a diagonal, a cell a thread",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<diagonals::Block>({{"block_size", &diagonals::Block::block_size, BlockSizes::list()}}),
       .launch = {.int32 = diagonals::launch}},
      {.name = "shuffle",
       .description =
           "one launch: a warp walks along a strip of rows, scores in registers, by shuffles; others fetch and write",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shuffle::Shape>({{"rows", &shuffle::Shape::rows, shuffle::Rows::list()}}),
       .launch = {.int32 = shuffle::launch},
       .prepare = shuffle::prepare,
       .release = lookback::release_tickets,
       .workspace = by_name<shuffle::workspace>},
      {.name = "tile_diagonals",
       .description = "a launch a diagonal of tiles, a tile a block in shared memory, a row a thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<tile_diagonals::Shape>(
           {{"tile", &tile_diagonals::Shape::tile, tile_diagonals::Tiles::list()}}),
       .launch = {.int32 = tile_diagonals::launch}},
  };
}

}  // namespace sextant
