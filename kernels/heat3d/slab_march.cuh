// How a part of a box that is cut along z into slabs of whole planes is swept on its GPU: as `march` does, all own planes at
// once, or the planes that need no halo beside the rest, which a second stream sweeps.
#pragma once

#include "march_launch.cuh"
#include "toolbox/share.hpp"

namespace sextant::heat3d {

struct SlabShape : MarchShape {
  int beside = 1;
};

inline std::vector<TunableMember<SlabShape>> slab_members() {
  std::vector<TunableMember<SlabShape>> members = march_members<SlabShape>();
  members.push_back({"beside", &SlabShape::beside, {0, 1}});
  return members;
}

inline std::int64_t plane_bytes(const Problem& problem) {
  return problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
}

// Planes of a part: its own, and the halos' beside them.
struct SlabPlanes {
  std::int64_t below, own, above;
};

// What a part's steps are launched with.
struct SlabMarch {
  SlabMarch() = default;
  SlabMarch(const SlabMarch&) = delete;
  SlabMarch& operator=(const SlabMarch&) = delete;
  ~SlabMarch() {
    if (side) cudaStreamDestroy(side);
    if (inner) cudaEventDestroy(inner);
    if (outer) cudaEventDestroy(outer);
  }

  March on_stream, on_side;  // the same sweep, on the part's stream and on the second one
  cudaStream_t side = nullptr;
  cudaEvent_t inner = nullptr, outer = nullptr;  // the last sweep of either is done
  std::int64_t begin = 0, end = 0;               // own planes of the slab
  std::int64_t first = 0, last = 0;              // of these, the ones that need no halo

  // The slab's planes as a box of their own: halos are its rim, and the box's own rim is where there is no halo.
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

// A step's sweep of planes [first, last) of a part.
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

// With the planes of one part, the most there are, halos included.
inline Problem part_of(const Problem& problem) {
  Problem part = problem;
  part.extents.z = share_of(problem.extents.z, problem.parts, 0).count + 2 * radius_of(problem);
  part.parts = 1;
  return part;
}

inline const char* refuse_slabs(const Problem& problem, const SlabShape& shape) {
  if (problem.extents.z / problem.parts < radius_of(problem))
    return "a part would have fewer planes than the stencil reaches to a side: take fewer parts, or a box of more "
           "planes";
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
