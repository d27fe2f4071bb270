// A box divided into slabs on several GPUs: its arrays, halo exchange between GPUs, and sweeps as in `march`.
#pragma once

#include <memory>

#include "march.cuh"
#include "steps.hpp"
#include "toolbox/cuda/edges.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/share.hpp"
#include "toolbox/team_slab.hpp"

// The arrays u and v of all GPUs, divided into slabs of whole planes. With several steps, the array w
// alternates with v.
namespace sextant::heat3d {

struct TeamFields {
  std::unique_ptr<TeamSlab> u, v, w;

  // Allocates arrays of `planes` planes of `plane_bytes` bytes. Each slab also gets `halo` planes per
  // neighbour; w is allocated only for `several` steps. Returns false if memory is insufficient.
  bool allocate(const parts::Team& team, std::int64_t planes, std::int64_t plane_bytes, std::int64_t halo,
                bool several) {
    for (std::unique_ptr<TeamSlab>* slab : {&u, &v, &w}) {
      if (slab == &w && !several) continue;
      *slab = std::make_unique<TeamSlab>(team, planes, plane_bytes, halo);
      if (!(*slab)->is_there()) return false;
    }
    return true;
  }
};

// Distributes u and v from the host to the GPUs. The variant's state must be a Heat, which derives from
// TeamFields.
template <typename Heat>
void scatter_fields(const Call& call) {
  const auto& fields = *static_cast<const Heat*>(call.state);
  fields.u->scatter(call.address(0));
  fields.v->scatter(call.address(1));
}
template <typename Heat>
void gather_fields(const Call& call) {
  static_cast<const Heat*>(call.state)->v->gather(call.address(1));
}

// Two ways in which a kernel exchanges halos. `fetch` synchronises with the neighbours and reads the halos
// from their memory. `push` writes into the neighbours' halos without waiting.

// A halo, and the neighbour's planes that are copied to it. Both are null if there is no neighbour.
template <typename Unit>
struct Halo {
  Unit* to;
  const Unit* from;
};

// Fetches both halos, which have `units` elements of type Unit each. Threads 0 and 1 signal the neighbours
// and wait for their signals. `base` is the number of earlier exchanges.
template <typename Unit>
__global__ void fetch_halos(std::int64_t units, Halo<Unit> below, Halo<Unit> above, peers::Meeting meeting,
                            const unsigned* base) {
  const int other = meeting.part + (threadIdx.x == 0 ? -1 : 1);
  if (threadIdx.x < 2 && other >= 0 && other < meeting.parts) {
    const unsigned round = *base + meeting.round;
    if (blockIdx.x == 0) peers::raise(meeting.flags[other] + meeting.part, round);
    peers::wait_for(meeting.flags[meeting.part] + other, round, meeting.poll_limit);
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

// Stores the slab's outermost planes in the neighbours' halos. Every block stores a part of both halos.
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

// Calls action with a value of the widest type that divides planes of this size.
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

// Returns the index of the first element after the slab's own planes. The unit is the element type in which
// planes are copied.
inline std::int64_t end_of(const TeamSlab& slab, int part, std::int64_t plane) {
  return (slab.below(part) + slab.own(part).count) * plane;
}

// Launches the fetch of a slab's halos, `depth` planes each.
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

// Launches the push of a slab's outermost `depth` planes into its neighbours' halos.
inline void push(const TeamSlab& slab, std::int64_t depth, std::int64_t plane_bytes,
                 const peers::Sides& sides, const PollLimit& poll_limit, int part, cudaStream_t stream) {
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
                                                {sides.edge(part, 0, false, true, blocks, poll_limit),
                                                 sides.edge(part, 1, false, true, blocks, poll_limit)});
  });
}

// Sweeps a slab as the variant `march` does. Either one sweep covers all planes of the slab, or the inner
// planes are swept separately. Inner planes need no halo. The other planes are swept concurrently on a second
// stream.

struct SlabShape : MarchShape {
  int overlap_exchange = 1;
};

inline std::vector<TunableMember<SlabShape>> slab_members() {
  std::vector<TunableMember<SlabShape>> members = march_members<SlabShape>();
  members.push_back({"overlap_exchange", &SlabShape::overlap_exchange, {0, 1}});
  return members;
}

inline std::int64_t plane_bytes(const Problem& problem) {
  return problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
}

// The planes of a slab in memory: the lower halo, its own planes, the upper halo.
struct SlabPlanes {
  std::int64_t below, own, above;
};

// Streams, events and sweeps for one slab.
struct SlabMarch {
  SlabMarch() = default;
  SlabMarch(const SlabMarch&) = delete;
  SlabMarch& operator=(const SlabMarch&) = delete;
  ~SlabMarch() {
    if (side) cudaStreamDestroy(side);
    if (inner) cudaEventDestroy(inner);
    if (outer) cudaEventDestroy(outer);
  }

  March on_stream, on_side;  // the same sweep, on the slab's main stream and on the second stream
  cudaStream_t side = nullptr;
  // Events recorded after the last sweep of the inner planes and of the outer planes.
  cudaEvent_t inner = nullptr, outer = nullptr;
  std::int64_t begin = 0, end = 0;   // range of the own planes within the slab
  std::int64_t first = 0, last = 0;  // range of the own planes that need no halo

  // Treats the slab's planes as a separate box. Its boundary along z consists of halos or, where there is no
  // neighbour, of the box's own boundary.
  void make(const Call& call, const SlabPlanes& planes, cudaStream_t stream) {
    const std::int64_t radius = radius_of(call.problem);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&inner, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&outer, cudaEventDisableTiming);
    begin = planes.below;
    end = begin + planes.own;
    first = planes.below > 0 ? begin + radius : begin;
    last = std::max(first, planes.above > 0 ? end - radius : end);
    Call of_part = call;
    of_part.problem.extents.z = planes.below + planes.own + planes.above;
    of_part.stream = stream;
    on_stream = march_of(of_part, call.tuned<SlabShape>());
    of_part.stream = side;
    on_side = march_of(of_part, call.tuned<SlabShape>());
  }
};

// The sweeps of one slab in one step.
struct SlabStep {
  const Call& call;
  const void* from;
  void* to;
  int turn;

  void sweep(const March& march, std::int64_t first, std::int64_t last) const {
    if (call.parts.what != parts::Do::exchange && first < last)
      march.sweep(march, from, to, first, last, turn);
  }
  void sweep_outer(const SlabMarch& slab) const {
    sweep(slab.on_side, slab.begin, std::min(slab.first, slab.end));
    sweep(slab.on_side, slab.last, slab.end);
  }
};

// Returns the problem with the number of planes of the largest slab, halos included.
inline Problem part_of(const Problem& problem) {
  Problem part = problem;
  part.extents.z = share_of(problem.extents.z, problem.parts, 0).count + 2 * radius_of(problem);
  part.parts = 1;
  return part;
}

inline const char* refuse_slabs(const Problem& problem, const SlabShape& shape) {
  if (problem.extents.z / problem.parts < radius_of(problem))
    return "a partition would have fewer planes than the stencil's radius: choose fewer partitions, or "
           "more planes";
  return refuse_march(problem, shape);
}

inline void fit_slabs(const Problem& problem, SlabShape& shape) {
  adapt_march(part_of(problem), shape);
  shape.overlap = 0;
}

inline std::int64_t slabs_workspace(const Problem& problem, const SlabShape&) {
  const Problem part = part_of(problem);
  return (steps_of(problem) > 1 ? 3 : 2) * (part.extents.z * plane_bytes(part) + 3 * 4096);
}

}  // namespace sextant::heat3d
