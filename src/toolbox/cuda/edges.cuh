// How the sweeps of neighbouring parts follow each other without a kernel, a copy or the host between them. A
// launch has the edge on a side with those of its blocks that read the halo there, or whose results belong
// into that neighbour's halo. They wait until the neighbour's blocks of the launch before have done all of
// that, store those results in the neighbour's memory, too, and say so. Two arrays take turns, so that nobody
// writes what a neighbour still reads: it is done with that array's halo when it has said so. Blocks of other
// parts of the launch wait for nobody.
#pragma once

#include "toolbox/cuda/peers.cuh"

namespace sextant::peers {

inline constexpr int sides = 2;  // 0: towards the lower planes, 1: towards the higher ones

// One side of a part in one launch. Launches that tell are counted on the GPU, so that they can be recorded
// in a graph.
struct Edge {
  unsigned* heard = nullptr;        // how many the neighbour has told of; null: nobody is waited for
  unsigned* told = nullptr;         // where the neighbour hears of this one; null: nothing is said
  unsigned* count = nullptr;        // those that this part has told of
  unsigned* blocks_done = nullptr;  // of this launch and edge
  unsigned blocks = 0;              // that have it
  Patience patience;
};

struct Edges {
  Edge low, high;
};

__device__ __forceinline__ bool is_first_thread() { return threadIdx.x == 0 && threadIdx.y == 0; }

__device__ __forceinline__ void begin_at_edge(const Edge& edge) {
  if (edge.heard) wait_for(edge.heard, *static_cast<volatile unsigned*>(edge.count), edge.patience);
}

// All threads of a block, before they read what is of the halo, or write where the neighbour may still read.
__device__ __forceinline__ void begin_at_edges(const Edges& edges, bool low, bool high) {
  if (!low && !high) return;
  if (is_first_thread()) {
    if (low) begin_at_edge(edges.low);
    if (high) begin_at_edge(edges.high);
  }
  __syncthreads();
}

__device__ __forceinline__ void end_at_edge(const Edge& edge) {
  if (!edge.told) return;
  __threadfence_system();
  if (atomicAdd(edge.blocks_done, 1u) + 1 != edge.blocks) return;
  *edge.blocks_done = 0;
  const unsigned count = *edge.count + 1;
  *edge.count = count;
  __threadfence_system();
  raise(edge.told, count);
}

// The same, after the last access to halos.
__device__ __forceinline__ void end_at_edges(const Edges& edges, bool low, bool high) {
  if (!low && !high) return;
  __syncthreads();
  if (!is_first_thread()) return;
  if (low) end_at_edge(edges.low);
  if (high) end_at_edge(edges.high);
}

// The host's half: who is beside whom, and what they say to each other.
class Sides {
 public:
  // around: the first part and the last one are neighbours, too; a part by itself is its own.
  Sides(const parts::Team& team, bool around) : parts_(team.parts), around_(around), words_(team) {}

  bool make() { return words_.allocate(3 * sides * static_cast<std::int64_t>(sizeof(unsigned))); }

  // -1: there is none.
  int neighbour(int part, int side) const {
    const int other = part + (side == 0 ? -1 : 1);
    if (other >= 0 && other < parts_) return other;
    return around_ ? (other + parts_) % parts_ : -1;
  }

  // Of a launch, which all parts make alike: it waits for what the last one that told has told, tells, or
  // both.
  Edge edge(int part, int side, bool waits, bool tells, unsigned blocks, const Patience& patience) const {
    const int other = neighbour(part, side);
    if (other < 0) return {};
    const Of<unsigned> words = words_.of<unsigned>();
    return {waits ? words[part] + side : nullptr,
            tells ? words[other] + (1 - side) : nullptr,
            words[part] + 2 * sides + side,
            words[part] + sides + side,
            blocks,
            patience};
  }

 private:
  int parts_;
  bool around_;
  PartMemory words_;
};

// Whether blocks of all edges of the parts that share the current GPU may wait at once and leave room for
// those that they wait for.
inline bool edges_fit(const parts::Team& team, std::int64_t blocks_at_edges) {
  return team.sharing == 1 || 2 * team.sharing * blocks_at_edges <= multiprocessors();
}

}  // namespace sextant::peers
