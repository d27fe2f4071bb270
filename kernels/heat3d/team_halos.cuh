// How a part's halos are fetched out of its neighbours' memory by a kernel that meets the neighbours' first, or pushed into
// the neighbours' by one that waits for nobody.
#pragma once

#include "steps.hpp"
#include "toolbox/cuda/edges.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/team_slab.hpp"

namespace sextant::heat3d {

// A halo and the neighbour's planes that belong there; null where there is no neighbour.
template <typename Unit>
struct Halo {
  Unit* to;
  const Unit* from;
};

// Both halos are of `units` units. Threads 0 and 1 tell and hear the neighbours. Rounds go on from `base`.
template <typename Unit>
__global__ void fetch_halos(std::int64_t units, Halo<Unit> below, Halo<Unit> above, peers::Meeting meeting,
                            const unsigned* base) {
  const int other = meeting.part + (threadIdx.x == 0 ? -1 : 1);
  if (threadIdx.x < 2 && other >= 0 && other < meeting.parts) {
    const unsigned round = *base + meeting.round;
    if (blockIdx.x == 0) peers::raise(meeting.flags[other] + meeting.part, round);
    peers::wait_for(meeting.flags[meeting.part] + other, round, meeting.patience);
  }
  __syncthreads();
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < units;
       i += stride) {
    const Unit low = below.to ? below.from[i] : Unit{}, high = above.to ? above.from[i] : Unit{};
    if (below.to) below.to[i] = low;
    if (above.to) above.to[i] = high;
  }
}

// Own planes to where they are a neighbour's halo; the blocks are at both edges.
template <typename Unit>
__global__ void push_halos(std::int64_t units, Halo<Unit> low, Halo<Unit> high, peers::Edges edges) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < units;
       i += stride) {
    if (low.to) low.to[i] = low.from[i];
    if (high.to) high.to[i] = high.from[i];
  }
  peers::end_at_edges(edges, true, true);
}

// By the widest access that planes of so many bytes are aligned for.
template <typename Action>
void with_unit(std::int64_t plane_bytes, Action action) {
  if (plane_bytes % 16 == 0)
    action(uint4{});
  else if (plane_bytes % 8 == 0)
    action(uint2{});
  else
    action(unsigned{});
}

inline void load_exchange(const parts::Team& team, std::int64_t plane_bytes) {
  with_unit(plane_bytes, [&](auto unit) {
    peers::load_everywhere(team, fetch_halos<decltype(unit)>);
    peers::load_everywhere(team, push_halos<decltype(unit)>);
  });
}

constexpr int exchange_block = 256;
inline unsigned exchange_blocks(std::int64_t units) {
  return std::min(64u, blocks_for(units, exchange_block));
}

// Where a part's own planes end in the slab, in units.
inline std::int64_t end_of(const TeamSlab& slab, int part, std::int64_t plane) {
  return (slab.below(part) + slab.own(part).count) * plane;
}

// A part's halos, of `depth` planes each.
inline void fetch(const TeamSlab& slab, std::int64_t depth, std::int64_t plane_bytes,
                  const peers::Meetings& meetings, unsigned round, int part, cudaStream_t stream) {
  with_unit(plane_bytes, [&](auto unit) {
    using Unit = decltype(unit);
    const std::int64_t plane = plane_bytes / static_cast<std::int64_t>(sizeof(Unit)), units = depth * plane;
    Unit* const data = slab.data<Unit>(part);
    Halo<Unit> below = {}, above = {};
    if (slab.below(part) > 0)
      below = {data, slab.data<const Unit>(part - 1) + end_of(slab, part - 1, plane) - units};
    if (slab.above(part) > 0)
      above = {data + end_of(slab, part, plane),
               slab.data<const Unit>(part + 1) + slab.below(part + 1) * plane};
    peers::Meeting meeting = meetings.of(part);
    meeting.round = round;
    fetch_halos<Unit><<<exchange_blocks(units), exchange_block, 0, stream>>>(units, below, above, meeting,
                                                                             meetings.base(part));
  });
}

// A part's outermost `depth` planes, into its neighbours' halos.
inline void push(const TeamSlab& slab, std::int64_t depth, std::int64_t plane_bytes,
                 const peers::Sides& beside, const Patience& patience, int part, cudaStream_t stream) {
  with_unit(plane_bytes, [&](auto unit) {
    using Unit = decltype(unit);
    const std::int64_t plane = plane_bytes / static_cast<std::int64_t>(sizeof(Unit)), units = depth * plane;
    const Unit* const data = slab.data<const Unit>(part);
    Halo<Unit> low = {}, high = {};
    if (slab.below(part) > 0)
      low = {slab.data<Unit>(part - 1) + end_of(slab, part - 1, plane), data + slab.below(part) * plane};
    if (slab.above(part) > 0) high = {slab.data<Unit>(part + 1), data + end_of(slab, part, plane) - units};
    const unsigned blocks = exchange_blocks(units);
    push_halos<Unit>
        <<<blocks, exchange_block, 0, stream>>>(units, low, high,
                                                {beside.edge(part, 0, false, true, blocks, patience),
                                                 beside.edge(part, 1, false, true, blocks, patience)});
  });
}

}  // namespace sextant::heat3d
