// How `peers_temporal` shares a part's planes among blocks, and which of them have to do with a neighbour: pure functions, for
// plans and for the kernel, tested without a GPU.
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(__CUDACC__)
  #define HEAT3D_BOTH __host__ __device__
#else
  #define HEAT3D_BOTH
#endif

namespace sextant::heat3d {

// A part's planes [first, last) in its slab, in pieces of `planes` planes. A block of the launch takes a piece of a tile: the
// lowest piece the first blocks, the highest one the second, so that what neighbours wait for is begun first.
struct SlabCut {
  int first, last;
  int planes, pieces;
  int depth;  // of halos

  HEAT3D_BOTH int begin_of(int block) const {
    const int piece = block == 0 ? 0 : block == 1 ? pieces - 1 : block - 1;
    return first + piece * planes;
  }
  HEAT3D_BOTH int end_of(int block) const {
    const int end = begin_of(block) + planes;
    return end < last ? end : last;
  }
  // Whether a block reads the halo there, or has planes that are in the neighbour's.
  HEAT3D_BOTH bool is_low(int block) const { return begin_of(block) < first + depth; }
  HEAT3D_BOTH bool is_high(int block) const { return end_of(block) > last - depth; }
};

// `count` planes from `first` on, where `tiles` tiles of them share `blocks` blocks.
inline SlabCut cut_slab(std::int64_t first, std::int64_t count, std::int64_t tiles, std::int64_t blocks,
                        std::int64_t depth) {
  const std::int64_t pieces = std::max<std::int64_t>(1, blocks / tiles),
                     planes = (count + pieces - 1) / pieces;
  return {static_cast<int>(first), static_cast<int>(first + count), static_cast<int>(planes),
          static_cast<int>((count + planes - 1) / planes), static_cast<int>(depth)};
}

// Blocks of a tile that are at an edge: 0 the low one, 1 the high one.
inline int blocks_at(const SlabCut& cut, int side) {
  int found = 0;
  for (int block = 0; block < cut.pieces; ++block)
    found += side == 0 ? cut.is_low(block) : cut.is_high(block);
  return found;
}

}  // namespace sextant::heat3d
