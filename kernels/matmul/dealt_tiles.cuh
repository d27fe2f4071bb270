// Which block computes what, where blocks come and go: a tile of C each, or part of one. Where the last round
// of blocks would leave half of the multiprocessors idle or more, its tiles may be divided along the inner
// dimension: sums of parts go through memory, and the block that brings a tile's last part adds all of them,
// in the order of the steps, so that a result is the same every time. Or the parts of all tiles are the
// blocks of clusters, which add among themselves.
#pragma once

#include <algorithm>

namespace sextant::matmul {

// Part `part` of `parts` of a tile's steps along the inner dimension.
struct Part {
  int tile, part, parts;
};

struct DealtTiles {
  int tiles;
  int whole;              // of them a block has each by itself, the first ones
  int parts;              // blocks of each other tile
  void* sums = nullptr;   // of each part of those
  int* counts = nullptr;  // of each of those the parts that are there; zero between launches

  __host__ __device__ int divided() const { return tiles - whole; }
  __host__ __device__ int blocks() const { return whole + divided() * parts; }
  __host__ __device__ Part part_of(int block) const {
    const int after = block - whole;
    return after < 0 ? Part{block, 0, 1} : Part{whole + after / parts, after % parts, parts};
  }
};

// ---- on the host

// With more parts a tile's sums would take as long to add as its products.
inline constexpr int most_parts = 16;

// The deal of a launch of `blocks` a tile, of a cluster each, of one or more.
inline DealtTiles deal_to_clusters(int tiles, int blocks) { return {tiles, blocks > 1 ? 0 : tiles, blocks}; }

// The deal of a launch of which the GPU holds `at_once` blocks, where tiles of the last round may be divided.
// steps: of a tile along the inner dimension.
inline DealtTiles deal_divided(int tiles, int steps, int at_once) {
  const int left = tiles % at_once;
  const int parts = tiles < at_once || left == 0 ? 1 : std::min({at_once / left, most_parts, steps});
  return {tiles, parts > 1 ? tiles - left : tiles, parts};
}

// Rounds of blocks that a launch takes, adding parts included, which takes as long as some steps: about seven
// in doubles on an H200.
inline double rounds_of(const DealtTiles& deal, int steps, int at_once) {
  constexpr double adding = 7;
  if (deal.parts == 1 || deal.whole == 0) return (deal.blocks() + at_once - 1) / at_once;
  return deal.whole / at_once + 1.0 / deal.parts + adding / steps;
}

}  // namespace sextant::matmul
