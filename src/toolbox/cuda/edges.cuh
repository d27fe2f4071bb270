// Halo exchange between the sweeps of neighbouring partitions, without a kernel, a copy or the host in
// between.
//
// An edge is one side of a partition in one launch. Its blocks are those that read the halo on that side, or
// whose results the neighbour needs in its halo. They wait until the neighbour's edge blocks of the previous
// launch are done. Then they also store their results in the neighbour's memory, and signal it. Two arrays
// alternate as input and output. A neighbour that has signalled has finished reading its input array, whose
// halo may then be overwritten. All other blocks do not wait.
#pragma once

#include "toolbox/cuda/peers.cuh"

namespace sextant::peers {

inline constexpr int sides = 2;  // 0: towards the lower planes, 1: towards the higher ones

// One side of a partition in one launch. Signals are counted on the GPU, so that the launches can be recorded
// in a graph.
struct Edge {
  unsigned* heard = nullptr;        // launches that the neighbour has signalled; null: do not wait
  unsigned* told = nullptr;         // the neighbour's `heard`; null: do not signal
  unsigned* count = nullptr;        // launches that this partition has signalled
  unsigned* blocks_done = nullptr;  // blocks of this launch that are done at this edge
  unsigned blocks = 0;              // blocks that this edge has
  Patience patience;
};

struct Edges {
  Edge low, high;
};

__device__ __forceinline__ bool is_first_thread() { return threadIdx.x == 0 && threadIdx.y == 0; }

__device__ __forceinline__ void begin_at_edge(const Edge& edge) {
  if (edge.heard) wait_for(edge.heard, *static_cast<volatile unsigned*>(edge.count), edge.patience);
}

// Waits for the neighbours. All threads of a block call it before they read the halo or write into a
// neighbour's array.
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

// Signals the neighbours. All threads of a block call it after their last access to halos.
__device__ __forceinline__ void end_at_edges(const Edges& edges, bool low, bool high) {
  if (!low && !high) return;
  __syncthreads();
  if (!is_first_thread()) return;
  if (low) end_at_edge(edges.low);
  if (high) end_at_edge(edges.high);
}

// Host side: which partitions are neighbours, and the memory for their signals.
class Sides {
 public:
  // around: the first and the last partition are neighbours, too; a single partition is then its own
  // neighbour.
  Sides(const parts::Team& team, bool around) : parts_(team.parts), around_(around), words_(team) {}

  bool make() { return words_.allocate(3 * sides * static_cast<std::int64_t>(sizeof(unsigned))); }

  // Returns the neighbour on this side, or -1 if there is none.
  int neighbour(int part, int side) const {
    const int other = part + (side == 0 ? -1 : 1);
    if (other >= 0 && other < parts_) return other;
    return around_ ? (other + parts_) % parts_ : -1;
  }

  // The edge of one launch, which all partitions make alike. The launch waits for the latest signal, sends
  // one, or both.
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

// True if the edge blocks of all partitions on the current GPU can wait at once. They must leave room for the
// blocks that they wait for.
inline bool edges_fit(const parts::Team& team, std::int64_t blocks_at_edges) {
  return team.sharing == 1 || 2 * team.sharing * blocks_at_edges <= multiprocessors();
}

}  // namespace sextant::peers
