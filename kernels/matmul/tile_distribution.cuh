// Distribution of tiles of C to blocks that each compute a tile or a part of one. The blocks that the GPU
// holds at once form a round. If the last round would leave at least half of the multiprocessors idle, its
// tiles may be divided along the inner dimension. The partial sums then go through global memory. The block
// that delivers a tile's last partial sum adds all of them in the order of the steps, so that results are
// reproducible. Alternatively, the blocks of a cluster divide every tile and add their sums through
// distributed shared memory.
#pragma once

#include <algorithm>

namespace sextant::matmul {

// The work of one block: part number `part` of the `parts` parts into which the inner dimension of `tile` is
// divided.
struct Part {
  int tile, part, parts;
};

struct TileDistribution {
  int tiles;
  int whole;  // number of tiles that are not divided; they come first
  int parts;  // number of blocks per tile for the other tiles
  // Memory for the partial sums of the divided tiles, one per part.
  void* sums = nullptr;
  // For each divided tile, the number of partial sums stored so far. It is zero between launches.
  int* counts = nullptr;

  __host__ __device__ int divided() const { return tiles - whole; }
  __host__ __device__ int blocks() const { return whole + divided() * parts; }
  __host__ __device__ Part part_of(int block) const {
    const int after = block - whole;
    return after < 0 ? Part{block, 0, 1} : Part{whole + after / parts, after % parts, parts};
  }
};

// ---- host code

// Maximum parts per tile. With more, adding the partial sums would take as long as the products.
inline constexpr int most_parts = 16;

// Assigns each tile to one cluster of `blocks` blocks.
inline TileDistribution distribute_to_clusters(int tiles, int blocks) {
  return {tiles, blocks > 1 ? 0 : tiles, blocks};
}

// Assigns one tile to each block. The tiles of the last round may be divided among several blocks. The GPU
// holds `at_once` blocks at a time. `steps` is the number of steps of a tile along the inner dimension.
inline TileDistribution distribute_divided(int tiles, int steps, int at_once) {
  const int left = tiles % at_once;
  const int parts = tiles < at_once || left == 0 ? 1 : std::min({at_once / left, most_parts, steps});
  return {tiles, parts > 1 ? tiles - left : tiles, parts};
}

// Returns the estimated duration of a launch in rounds of blocks. Adding partial sums takes as long as
// `adding` steps: about seven for doubles on an H200.
inline double rounds_of(const TileDistribution& distribution, int steps, int at_once) {
  constexpr double adding = 7;
  if (distribution.parts == 1 || distribution.whole == 0)
    return (distribution.blocks() + at_once - 1) / at_once;
  return distribution.whole / at_once + 1.0 / distribution.parts + adding / steps;
}

}  // namespace sextant::matmul
