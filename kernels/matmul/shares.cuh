// How blocks that stay share the tiles of C. Either all tiles are computed whole, or the last ones, which would leave
// multiprocessors idle, are divided: their steps along the inner dimension are dealt out evenly, a tile's parts go through
// memory, and whoever brings a tile's last part adds them all, in the order of the steps, so that nobody waits and a result
// is the same every time.
#pragma once

#include "parts.cuh"
#include "tiles.cuh"

namespace sextant::matmul {

struct Shares {
  int n, steps;  // a tile's steps along the inner dimension
  Tiles tiles;
  int whole;              // tiles from the first that are computed whole: block b's are b, b + blocks, …
  std::int64_t divided;   // steps of all others
  void* parts = nullptr;  // two of each block: of the first and of the last tile in its range
  int* counts = nullptr;  // of each divided tile the steps whose parts are there; zero between launches

  __device__ __forceinline__ std::int64_t first_step(int block) const {
    return divided * block / static_cast<int>(gridDim.x);
  }
  __device__ __forceinline__ int divided_tile(std::int64_t step) const {
    return static_cast<int>(step / steps);
  }
  // Which of the two parts of a block's the one of a divided tile is.
  __device__ __forceinline__ std::int64_t part(int block, int tile) const {
    return 2 * std::int64_t{block} + (divided_tile(first_step(block)) == tile ? 0 : 1);
  }
};

// Goes through a block's steps, tile by tile.
struct Cursor {
  int tile, step, end;
  bool valid;

  __device__ explicit Cursor(const Shares& shares)
      : next_whole_(static_cast<int>(blockIdx.x)),
        next_(shares.first_step(static_cast<int>(blockIdx.x))),
        last_(shares.first_step(static_cast<int>(blockIdx.x) + 1)) {
    next_tile(shares);
  }
  __device__ __forceinline__ void next_tile(const Shares& shares) {
    valid = true;
    if (next_whole_ < shares.whole) {
      tile = next_whole_;
      next_whole_ += static_cast<int>(gridDim.x);
      step = 0;
      end = shares.steps;
    } else if (next_ < last_) {
      const int divided = shares.divided_tile(next_);
      tile = shares.whole + divided;
      step = static_cast<int>(next_ - static_cast<std::int64_t>(divided) * shares.steps);
      const std::int64_t left = last_ - next_;
      end = left < shares.steps - step ? step + static_cast<int>(left) : shares.steps;
      next_ += end - step;
    } else {
      valid = false;
    }
  }

 private:
  int next_whole_;
  std::int64_t next_, last_;
};

// Leaves a part of a tile for whoever adds them. True where that is this block: `sum` is the whole tile's then. All threads
// of the block call it; `last` is a word in shared memory.
template <int threads, int count, typename T>
__device__ __forceinline__ bool add_parts(const Shares& shares, int tile, int steps, int* last,
                                          T (&sum)[count]) {
  const auto at = [&](int block) {
    return static_cast<T*>(shares.parts) + shares.part(block, tile) * (count * threads) + threadIdx.x;
  };
  if (!leave_part<threads>(sum, at(static_cast<int>(blockIdx.x)), shares.counts + tile, steps, shares.steps,
                           last, [] { __syncthreads(); }))
    return false;
  const std::int64_t from = static_cast<std::int64_t>(tile) * shares.steps;
  int block = static_cast<int>(from * static_cast<int>(gridDim.x) / shares.divided);
  while (shares.first_step(block + 1) <= from) ++block;
  while (shares.first_step(block) > from) --block;
#pragma unroll
  for (int i = 0; i < count; ++i) sum[i] = 0;
  for (; shares.first_step(block) < from + shares.steps; ++block) {
    if (shares.first_step(block) == shares.first_step(block + 1)) continue;  // has no steps
    add_part<threads>(at(block), sum);
  }
  return true;
}

// ---- on the host

// `blocks` that the GPU holds at once. With `divide`, all tiles but those of full rounds are divided, and those of one full
// round with them.
inline Shares shares_of(std::int64_t n, int tile_m, int tile_n, int depth, int blocks, bool divide) {
  Shares shares{static_cast<int>(n), static_cast<int>((n + depth - 1) / depth),
                tiles_of(n, tile_m, tile_n, 8), 0, 0};
  const int tiles = shares.tiles.count(), rounds = tiles / blocks;
  shares.whole = !divide || tiles % blocks == 0 ? tiles : std::max(rounds - 1, 0) * blocks;
  shares.divided = static_cast<std::int64_t>(tiles - shares.whole) * shares.steps;
  return shares;
}
// Of blocks that the GPU holds, those that a launch has.
inline int blocks_of(const Shares& shares, int blocks) {
  if (shares.divided == 0) return std::min(blocks, shares.whole);
  return shares.whole > 0 ? blocks : static_cast<int>(std::min<std::int64_t>(blocks, shares.divided));
}

}  // namespace sextant::matmul
