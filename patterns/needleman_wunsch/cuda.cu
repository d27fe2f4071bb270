#include <algorithm>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/lookback.cuh"
#include "toolbox/cuda/vector.cuh"

// Wavefront computation. The matrix H is divided into strips of rows, one per block. The first warp of a
// block computes the strip from left to right. Each lane keeps the scores of some rows in registers. It is
// four columns behind the lane above it, from which it gets the row above by shuffles. The second warp
// fetches the row above the strip and publishes the strip's last row. The other warps write scores to H.
//
// Inside the kernel, 2 (i + j) is added to H[i][j]. Then a gap costs nothing, two equal letters score 6, two
// different letters score 3, and borders are 0.
//
// Blocks synchronize through the descriptors of lookback.cuh, one for each column of a strip's last row. A
// descriptor carries the launch number (epoch), so that readers ignore scores of earlier launches. Strips are
// numbered in the order in which blocks start. So a strip waits only for blocks that already run.
namespace sextant::needleman_wunsch {

// columns: columns that a lane computes per step. steps: steps between two barriers of the block (a chunk).
inline constexpr int columns = 4, steps = 8;
inline constexpr int run = columns * steps;  // number of columns of each row in a chunk
inline constexpr int threads = 192,
                     writers = 4;  // writing warps; warp 0 computes, warp 1 fetches and publishes

struct Strips {
  int n, count;
  const std::int32_t *a, *b;
  std::int32_t* h;
  lookback::DescriptorArray<std::int32_t> descriptors;
};

// The strip of the calling block. Its first row is row `first` + 1 of H. `epoch` is the launch number.
struct Strip {
  int number, first;
  unsigned epoch;
};

// Distance in elements between the scores of neighbouring lanes in shared memory. The four elements of
// padding avoid bank conflicts.
template <int rows>
inline constexpr int lane_step = rows* run + 4;

// State of a lane of the first warp: the letters and latest scores of its rows, the four latest scores of its
// last row, the score diagonally above its next cell, and the letters of b for its next step.
template <int rows>
struct Lane {
  std::int32_t letters[rows], left[rows], bottom[columns], corner;
  Vector<std::int32_t, columns> next;
};

// Loads the letters of b for step `at`, or for the nearest step if there is no such step. Columns beyond the
// end of b get -1.
__device__ __forceinline__ Vector<std::int32_t, columns> letters_at(const Strips& all, int at) {
  const int first = max(0, min(at, (all.n - 1) / columns)) * columns;
  if (first + columns <= all.n) return load<columns>(all.b + first);
  Vector<std::int32_t, columns> letters;
#pragma unroll
  for (int c = 0; c < columns; ++c) letters[c] = first + c < all.n ? all.b[first + c] : -1;
  return letters;
}

template <int rows>
__device__ __forceinline__ void start(const Strips& all, const Strip& strip, Lane<rows>& mine) {
  const int lane = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const int i = strip.first + lane * rows + r;
    mine.letters[r] = i < all.n ? all.a[i] : -2;
    mine.left[r] = 0;
  }
#pragma unroll
  for (int c = 0; c < columns; ++c) mine.bottom[c] = 0;
  mine.corner = 0;
  mine.next = letters_at(all, -lane);
}

// Computes four columns of the lane's rows. Keeps the scores of the last row for the lane below.
template <int rows>
__device__ __forceinline__ void step(const std::int32_t (&above)[columns],
                                     const Vector<std::int32_t, columns>& letters, Lane<rows>& mine,
                                     std::int32_t* scores) {
  Vector<std::int32_t, columns> found[rows];
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    std::int32_t before = c == 0 ? mine.corner : above[c > 0 ? c - 1 : 0], up = above[c];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const std::int32_t other = __viaddmax_s32(before, mine.letters[r] == letters[c] ? 6 : 3, mine.left[r]);
      before = mine.left[r];
      up = mine.left[r] = found[r][c] = max(other, up);
    }
    mine.bottom[c] = up;
  }
  mine.corner = above[columns - 1];
#pragma unroll
  for (int r = 0; r < rows; ++r)
    *reinterpret_cast<Vector<std::int32_t, columns>*>(scores + r * run) = found[r];
}

// The first warp computes one chunk. `top` is the row above the strip, in the columns that lane 0 computes.
template <int rows>
__device__ __forceinline__ void walk(const Strips& all, int chunk, const std::int32_t* top, Lane<rows>& mine,
                                     std::int32_t* scores) {
  const int lane = static_cast<int>(threadIdx.x);
#pragma unroll 2
  for (int s = 0; s < steps; ++s) {
    const int at = chunk * steps + s - lane;
    std::int32_t above[columns];
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      above[c] = __shfl_up_sync(~0u, mine.bottom[c], 1);
      if (lane == 0) above[c] = top[s * columns + c];
    }
    const Vector<std::int32_t, columns> letters = mine.next;
    mine.next = letters_at(all, at + 1);
    if (at >= 0) step(above, letters, mine, scores + lane * lane_step<rows> + s * columns);
    __syncwarp();
  }
}

// The second warp fetches the row above the strip, in the columns that lane 0 computes in a chunk. The first
// strip gets zeros.
__device__ __forceinline__ void fetch_top(const Strips& all, const Strip& strip, int chunk,
                                          std::int32_t* top) {
  const int lane = static_cast<int>(threadIdx.x) % 32, column = chunk * run + lane;
  std::int32_t value = 0;
  if (strip.number > 0 && column < all.n) {
    const auto* descriptor =
        all.descriptors.data + static_cast<std::int64_t>(strip.number - 1) * all.n + column;
    int peeks = all.descriptors.poll_limit.peeks;
    while (lookback::peek(descriptor, strip.epoch, value) == lookback::none)
      if (--peeks <= 0) {
        all.descriptors.poll_limit.give_up();
        break;
      }
  }
  top[lane] = value;
}

// Returns the first column (counted from 0) that a lane computes in a chunk.
__device__ __forceinline__ int first_column(int chunk, int lane) { return (chunk * steps - lane) * columns; }

// The second warp publishes the scores of one chunk in the strip's last row, for the next strip.
template <int rows>
__device__ __forceinline__ void hand_on(const Strips& all, const Strip& strip, int chunk,
                                        const std::int32_t* scores) {
  const int lane = static_cast<int>(threadIdx.x) % 32, column = first_column(chunk, 31) + lane;
  if (strip.number + 1 < all.count && column >= 0 && column < all.n)
    lookback::post(all.descriptors.data + static_cast<std::int64_t>(strip.number) * all.n + column,
                   scores[31 * lane_step<rows> + (rows - 1) * run + lane],
                   lookback::tag_of(strip.epoch, lookback::of_all));
}

// The last four warps write the scores of one chunk to H, row by row.
template <int rows>
__device__ __forceinline__ void write_out(const Strips& all, const Strip& strip, int chunk,
                                          const std::int32_t* scores) {
  const int lane = static_cast<int>(threadIdx.x) % 32,
            writer = static_cast<int>(threadIdx.x) / 32 - (threads / 32 - writers);
#pragma unroll 4
  for (int row = writer; row < 32 * rows; row += writers) {
    const int i = strip.first + row, column = first_column(chunk, row / rows) + lane;
    if (i < all.n && column >= 0 && column < all.n)
      all.h[static_cast<std::int64_t>(i + 1) * (all.n + 1) + column + 1] =
          scores[row / rows * lane_step<rows> + row % rows * run + lane] - 2 * (i + column + 2);
  }
}

// Writes row 0 and column 0 of H. Row 0 is distributed over the blocks; each block writes its strip's part of
// column 0.
template <int rows>
__device__ __forceinline__ void fill_borders(const Strips& all, const Strip& strip) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int j = strip.number * threads + thread; j <= all.n; j += all.count * threads) all.h[j] = -2 * j;
  for (int i = strip.first + thread; i < min(all.n, strip.first + 32 * rows); i += threads)
    all.h[static_cast<std::int64_t>(i + 1) * (all.n + 1)] = -2 * (i + 1);
}

// Computes a strip chunk by chunk (double buffering). While the first warp computes one chunk, other warps
// write and publish the previous chunk and fetch the row above the next chunk.
template <int rows>
__device__ __forceinline__ void fill_strip(const Strips& all, const Strip& strip, std::int32_t (*top)[run],
                                           std::int32_t (*scores)[32 * lane_step<rows>]) {
  const int warp = static_cast<int>(threadIdx.x) / 32,
            chunks = ((all.n + columns - 1) / columns + 31 + steps - 1) / steps;
  Lane<rows> mine;
  if (warp == 0) start(all, strip, mine);
  if (warp == 1) fetch_top(all, strip, 0, top[0]);
  fill_borders<rows>(all, strip);
  __syncthreads();
  for (int chunk = 0; chunk <= chunks; ++chunk) {
    const int now = chunk % 2, before = 1 - now;
    if (warp == 0) {
      if (chunk < chunks) walk(all, chunk, top[now], mine, scores[now]);
    } else if (warp == 1) {
      if (chunk > 0) hand_on<rows>(all, strip, chunk - 1, scores[before]);
      if (chunk + 1 < chunks) fetch_top(all, strip, chunk + 1, top[before]);
    } else if (chunk > 0) {
      write_out<rows>(all, strip, chunk - 1, scores[before]);
    }
    __syncthreads();
  }
}

}  // namespace sextant::needleman_wunsch

namespace sextant {
namespace {

__global__ void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i <= n) h[i] = h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
}

// The straightforward implementation: one launch per antidiagonal, one cell per thread.
namespace diagonals {

struct Block {
  int block_size = 128;
};

// Computes the cells (i, d - i) of antidiagonal d for i = first … last.
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

// A single launch computes all strips of rows. Each strip waits for the last row of the strip above it.
namespace shuffle {

using namespace needleman_wunsch;
using Rows = Choices<1, 2, 4>;

struct Shape {
  int rows = 4;  // rows of H per lane
};

template <int rows>
__global__ void __launch_bounds__(threads) fill_strips(Strips all) {
  __shared__ __align__(16) std::int32_t scores[2][32 * lane_step<rows>];
  __shared__ std::int32_t top[2][run];
  __shared__ lookback::Tile taken;
  if (threadIdx.x == 0) taken = lookback::take(all.descriptors);
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
                      static_cast<const lookback::Tickets*>(call.state)->descriptors<std::int32_t>()};
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

// Blocked wavefront, as in common implementations: one launch per antidiagonal of square tiles. Each block
// computes one tile in shared memory, one row per thread.
namespace tile_diagonals {

using Tiles = Choices<32, 64>;

struct Shape {
  int tile = 64;
};

// Computes tile (first + block, d - first - block) from the row above it and the column to its left. The
// padding puts the cells on an antidiagonal into different banks of shared memory.
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
       .description = "the plain form: one launch per antidiagonal, one cell per thread",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<diagonals::Block>({{"block_size", &diagonals::Block::block_size, BlockSizes::list()}}),
       .launch = {.int32 = diagonals::launch}},
      {.name = "shuffle",
       .description = "one launch; in each strip of rows, one warp computes scores by shuffles, other warps "
                      "load and store",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shuffle::Shape>({{"rows", &shuffle::Shape::rows, shuffle::Rows::list()}}),
       .launch = {.int32 = shuffle::launch},
       .prepare = shuffle::prepare,
       .release = lookback::release_tickets,
       .workspace = by_name<shuffle::workspace>},
      {.name = "tile_diagonals",
       .description =
           "one launch per antidiagonal of tiles; one tile per block in shared memory, one row per "
           "thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<tile_diagonals::Shape>(
           {{"tile", &tile_diagonals::Shape::tile, tile_diagonals::Tiles::list()}}),
       .launch = {.int32 = tile_diagonals::launch}},
  };
}

}  // namespace sextant
