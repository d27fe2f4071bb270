// Strips of rows, a block each, which all run at once. A warp walks along a strip: each lane has some rows, whose scores stay in registers, and
// is a step of four columns behind the lane above, from which it has its upper row by shuffles. The block's other warps do what
// the walk would wait for: they fetch the row above the strip, hand on its last row, and write scores.
//
// Scores are kept with 2 (i + j) added: then a gap costs nothing, two equal letters are worth 6, others 3, and borders are 0.
//
// Strips wait for each other by letters of a board (lookback.cuh), one for each column of a strip's last row: each bears its launch, so that whoever
// finds it has its score. Strips are numbered as blocks begin to run, so whatever a strip waits for is on its way.
#pragma once

#include "loop.hpp"
#include "toolbox/cuda/lookback.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::needleman_wunsch {

inline constexpr int columns = 4, steps = 8;  // of a step; of a chunk, after which warps meet
inline constexpr int run = columns * steps;   // what a row gets in a chunk
inline constexpr int threads = 192,
                     writers = 4;  // warps: one that walks, one that fetches and hands on, and these

struct Strips {
  int n, count;
  const std::int32_t *a, *b;
  std::int32_t* h;
  lookback::Board<std::int32_t> board;
};

// The calling block's strip, which begins below row `first`, and its launch.
struct Strip {
  int number, first;
  unsigned epoch;
};

// Where lane l's rows lie in the scores of a chunk: four more than they need, so that lanes write to different banks.
template <int rows>
inline constexpr int lane_step = rows* run + 4;

// A lane of the walk: its rows' letters and last scores, its last row's, and the score above and before its next step.
template <int rows>
struct Lane {
  std::int32_t letters[rows], left[rows], bottom[columns], corner;
  Vector<std::int32_t, columns> next;
};

// Letters of b for the columns of step `at`, or of the nearest that there is; behind the end none.
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

// The scores of a lane's rows in four columns, and of these the last row's.
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

// A chunk of the walk, by the first warp. `top`: the row above the strip in the columns of the first lane.
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

// The row above the strip in a chunk's columns of the first lane, by a warp: zeros for the first strip.
__device__ __forceinline__ void fetch_top(const Strips& all, const Strip& strip, int chunk,
                                          std::int32_t* top) {
  const int lane = static_cast<int>(threadIdx.x) % 32, column = chunk * run + lane;
  std::int32_t value = 0;
  if (strip.number > 0 && column < all.n) {
    const auto* letter = all.board.letters + static_cast<std::int64_t>(strip.number - 1) * all.n + column;
    int peeks = all.board.patience.peeks;
    while (lookback::peek(letter, strip.epoch, value) == lookback::none)
      if (--peeks <= 0) {
        all.board.patience.give_up();
        break;
      }
  }
  top[lane] = value;
}

// The first column, from 0, of a lane's rows in a chunk.
__device__ __forceinline__ int first_column(int chunk, int lane) { return (chunk * steps - lane) * columns; }

// The strip's last row of a chunk, to the next strip, by a warp.
template <int rows>
__device__ __forceinline__ void hand_on(const Strips& all, const Strip& strip, int chunk,
                                        const std::int32_t* scores) {
  const int lane = static_cast<int>(threadIdx.x) % 32, column = first_column(chunk, 31) + lane;
  if (strip.number + 1 < all.count && column >= 0 && column < all.n)
    lookback::post(all.board.letters + static_cast<std::int64_t>(strip.number) * all.n + column,
                   scores[31 * lane_step<rows> + (rows - 1) * run + lane],
                   lookback::tag_of(strip.epoch, lookback::of_all));
}

// A chunk's scores to H, a row at a time by each of the writing warps.
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

// Blocks share row 0; each has its strip's part of column 0.
template <int rows>
__device__ __forceinline__ void fill_borders(const Strips& all, const Strip& strip) {
  const int thread = static_cast<int>(threadIdx.x);
  for (int j = strip.number * threads + thread; j <= all.n; j += all.count * threads) all.h[j] = -2 * j;
  for (int i = strip.first + thread; i < min(all.n, strip.first + 32 * rows); i += threads)
    all.h[static_cast<std::int64_t>(i + 1) * (all.n + 1)] = -2 * (i + 1);
}

// The strip, chunk by chunk: while one is walked, the one before is written and handed on, and the next one's row above is fetched.
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
