// Distributes a slab's planes among blocks in `peers_temporal`, and finds the blocks that depend on a
// neighbouring GPU. Tunings and the kernel use these functions. Tests call them without a GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "temporal_plan.cuh"

#if defined(__CUDACC__)
  #define HEAT3D_BOTH __host__ __device__
#else
  #define HEAT3D_BOTH
#endif

namespace sextant::heat3d {

// Division of a slab's planes [first, last) into chunks of `planes` planes; the chunks at the ends may be
// shorter. A block computes one chunk of a tile. Block 0 computes the lowest chunk and block 1 the highest.
// Neighbouring GPUs wait for these results, so they are computed first.
struct SlabCut {
  int first, last;
  int planes, pieces;
  int depth;   // planes per halo
  int lowest;  // planes in the lowest chunk

  HEAT3D_BOTH int begin_of(int block) const {
    const int piece = block == 0 ? 0 : block == 1 ? pieces - 1 : block - 1;
    return piece == 0 ? first : first + lowest + (piece - 1) * planes;
  }
  HEAT3D_BOTH int end_of(int block) const {
    const int end = begin_of(block) + (block == 0 ? lowest : planes);
    return end < last ? end : last;
  }
  // Returns true if a block reads the halo on the low side, or computes planes of the neighbour's halo.
  // is_high is the same for the high side.
  HEAT3D_BOTH bool is_low(int block) const { return begin_of(block) < first + depth; }
  HEAT3D_BOTH bool is_high(int block) const { return end_of(block) > last - depth; }
};

// The sides on which a slab has a neighbour.
struct Neighboured {
  bool low, high;
};

// Divides `count` planes, from plane `first` on, among `blocks` blocks, which compute `tiles` tiles. Chunks
// next to a neighbour are shorter by `spare` planes and by the remainder of the division. Their results are
// thus ready early for the neighbour.
inline SlabCut cut_slab(std::int64_t first, std::int64_t count, std::int64_t tiles, std::int64_t blocks,
                        std::int64_t depth, Neighboured neighbours, std::int64_t spare) {
  const std::int64_t most = std::max<std::int64_t>(1, blocks / tiles),
                     sides = neighbours.low + neighbours.high;
  const std::int64_t spared = spare * sides, planes = (count + spared + most - 1) / most,
                     pieces = (count + spared + planes - 1) / planes, fewer = pieces * planes - count;
  const std::int64_t low = neighbours.low ? fewer / sides : 0, high = fewer - low;
  if (spare > 0 && (pieces == 1 || low >= planes || high >= planes))
    return cut_slab(first, count, tiles, blocks, depth, neighbours, 0);
  return {static_cast<int>(first),  static_cast<int>(first + count),
          static_cast<int>(planes), static_cast<int>(pieces),
          static_cast<int>(depth),  static_cast<int>(pieces == 1 ? count : planes - low)};
}

// Returns how many blocks of a tile read or compute planes of the halo on one side. `side` is 0 for the low
// side and 1 for the high side.
inline int blocks_at(const SlabCut& cut, int side) {
  int found = 0;
  for (int block = 0; block < cut.pieces; ++block)
    found += side == 0 ? cut.is_low(block) : cut.is_high(block);
  return found;
}

// Chooses the tile shape for a slab among those for which `takes` returns true. `best` is unchanged if there
// is none. For radius 1, the number of warps must be a multiple of the four warp schedulers. With several
// steps, the estimate then ignores memory bandwidth, because rows that two tiles read come from the cache.
template <typename Takes>
void adapt_slab(const Problem& part, Machine machine, TemporalShape& best, Takes takes) {
  if (radius_of(part) > 1) return adapt_shape(part, machine, best, takes);
  if (steps_of(part) > 1) machine.bytes_a_cycle = std::numeric_limits<double>::infinity();
  adapt_shape(part, machine, best,
              [&](const TemporalShape& tile) { return tile.block_y % 4 == 0 && takes(tile); });
}

}  // namespace sextant::heat3d
