// Halo exchange between neighbouring partitions of a grid on several GPUs. The kernels of the time steps do
// it themselves, so no copy and no host action is needed between two launches.
//
// An edge is one side of a partition in one launch. The blocks of an edge read the halo on that side, or
// compute values for the neighbour's halo. They wait until the neighbour's edge blocks of the previous launch
// are done. At the end they also store their results in the neighbour's memory, and signal it. Two arrays
// alternate as input and output. A signal also means that the neighbour has finished reading its input array,
// whose halo may then be overwritten. All other blocks do not wait.
#pragma once

#include "toolbox/cuda/peers.cuh"

namespace sextant::peers {

inline constexpr int sides = 2;  // side 0 is towards the lower planes, side 1 towards the higher ones

// One side of a partition in one launch. Launches are counted on the GPU, so that they can be recorded in a
// graph.
struct Edge {
  unsigned* heard = nullptr;        // last launch that the neighbour has signalled; null: do not wait
  unsigned* told = nullptr;         // address of the neighbour's `heard` counter; null: do not signal
  unsigned* count = nullptr;        // last launch that this partition has signalled
  unsigned* blocks_done = nullptr;  // number of this edge's blocks that are done in this launch
  unsigned blocks = 0;              // number of blocks that belong to this edge
  PollLimit poll_limit;
};

struct Edges {
  Edge low, high;
};

__device__ __forceinline__ bool is_first_thread() { return threadIdx.x == 0 && threadIdx.y == 0; }

__device__ __forceinline__ void begin_at_edge(const Edge& edge) {
  if (edge.heard) wait_for(edge.heard, *static_cast<volatile unsigned*>(edge.count), edge.poll_limit);
}

// Waits for the neighbours. All threads of a block must call it before they read the halo or write into a
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

// Signals the neighbours. All threads of a block must call it after their last access to halos.
__device__ __forceinline__ void end_at_edges(const Edges& edges, bool low, bool high) {
  if (!low && !high) return;
  __syncthreads();
  if (!is_first_thread()) return;
  if (low) end_at_edge(edges.low);
  if (high) end_at_edge(edges.high);
}

// Host side: finds a partition's neighbours, and holds the memory for their signals.
class Sides {
 public:
  // `around`: periodic boundaries, so that the first and the last partition are also neighbours. A single
  // partition is then its own neighbour.
  Sides(const parts::Team& team, bool around) : parts_(team.parts), around_(around), words_(team) {}

  bool make() { return words_.allocate(3 * sides * static_cast<std::int64_t>(sizeof(unsigned))); }

  // Returns the neighbour on this side, or -1 if there is none.
  int neighbour(int part, int side) const {
    const int other = part + (side == 0 ? -1 : 1);
    if (other >= 0 && other < parts_) return other;
    return around_ ? (other + parts_) % parts_ : -1;
  }

  // Returns the edge of one launch. All partitions must use the same sequence of edges. If `waits`, the
  // launch waits for the neighbour's latest signal; if `tells`, it sends a signal.
  Edge edge(int part, int side, bool waits, bool tells, unsigned blocks, const PollLimit& poll_limit) const {
    const int other = neighbour(part, side);
    if (other < 0) return {};
    const Of<unsigned> words = words_.of<unsigned>();
    return {waits ? words[part] + side : nullptr,
            tells ? words[other] + (1 - side) : nullptr,
            words[part] + 2 * sides + side,
            words[part] + sides + side,
            blocks,
            poll_limit};
  }

 private:
  int parts_;
  bool around_;
  PartMemory words_;
};

// Returns true if the waiting edge blocks of all partitions on one GPU leave enough multiprocessors free for
// the blocks that they wait for.
inline bool edges_fit(const parts::Team& team, std::int64_t blocks_at_edges) {
  return team.sharing == 1 || 2 * team.sharing * blocks_at_edges <= multiprocessors();
}

}  // namespace sextant::peers
