#include <memory>

#include "host.hpp"
#include "steps.hpp"
#include "toolbox/host/slab.hpp"
#include "toolbox/host/streaming.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

using heat3d::Bands;

// The box is divided along z into slabs of whole planes, one per MPI rank. A step needs R planes from each
// neighbour. With overlap=1 the inner planes, which need no halo, are computed while these messages travel.
// The R outermost planes on each side follow. With overlap=0 the exchange comes first. A step sends 2R planes
// regardless of the slab's height, so taller slabs communicate less per point.
namespace mpi {

struct Shape : Bands {
  int overlap = 1;
};

// A rank's planes of the arrays u, v and w. With several steps, w alternates with v.
struct Part {
  std::unique_ptr<Slab> u, v, w;
};

// Returns the slab's planes as a separate box. Its boundary along z consists of halos or, where there is no
// neighbour, of the box's own boundary.
Extents box_of(const Problem& problem, const Slab& slab) {
  return {problem.extents.x, problem.extents.y, slab.planes()};
}

template <int radius, heat3d::Weights weights, typename T>
void update_planes(const T* from, T* to, const Extents& box, std::int64_t first, std::int64_t last,
                   const Bands& bands) {
  if (first >= last) return;
#pragma omp parallel
  heat3d::share_rows(box, first, last, bands, [&](std::int64_t z, std::int64_t y) {
    heat3d::update_row<radius, weights>(from, to, box, z, y);
  });
}

// The inner planes [first, last) of a slab. They need no halo; all other planes do.
struct Inner {
  std::int64_t first, last;
};

Inner inner_of(const Slab& slab, std::int64_t radius) {
  const std::int64_t begin = slab.below(), end = slab.below() + slab.own().count;
  const std::int64_t first = slab.below() > 0 ? begin + radius : begin,
                     last = slab.above() > 0 ? end - radius : end;
  return {first, std::max(first, last)};
}

template <int radius, heat3d::Weights weights, typename T>
void step(Slab& from, Slab& to, const Call& call) {
  const auto shape = call.tuned<Shape>();
  const Extents box = box_of(call.problem, from);
  const T* u = from.data<T>();
  T* v = to.data<T>();
  const std::int64_t begin = from.below(), end = from.below() + from.own().count;
  const bool computes = call.parts.what != parts::Do::exchange;
  parts::Request requests[4];
  const int count = call.parts.what == parts::Do::compute ? 0 : from.exchange(requests);
  if (!shape.overlap) call.parts.ranks->waitall(count, requests);
  const Inner inner = inner_of(from, radius);
  if (computes) update_planes<radius, weights>(u, v, box, inner.first, inner.last, shape);
  if (shape.overlap) call.parts.ranks->waitall(count, requests);
  if (!computes) return;
  update_planes<radius, weights>(u, v, box, begin, std::min(inner.first, end), shape);
  update_planes<radius, weights>(u, v, box, inner.last, end, shape);
}

template <typename T>
void launch(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  const std::int64_t steps = heat3d::steps_of(call.problem);
  heat3d::with_stencil(call.problem, [&]<int radius, heat3d::Weights weights>() {
    for (std::int64_t i = 0; i < steps; ++i) {
      const bool into_v = (steps - i) % 2 == 1;
      Slab& from = i == 0 ? *part->u : into_v ? *part->w : *part->v;
      step<radius, weights, T>(from, into_v ? *part->v : *part->w, call);
    }
  });
}

const char* prepare(const Call& call, void** state) {
  const Problem& problem = call.problem;
  auto part = std::make_unique<Part>();
  const std::int64_t plane =
      problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
  for (std::unique_ptr<Slab>* slab : {&part->u, &part->v, &part->w}) {
    if (slab == &part->w && heat3d::steps_of(problem) == 1) continue;
    *slab = std::make_unique<Slab>(*call.parts.ranks, problem.extents.z, plane, heat3d::radius_of(problem));
    if (!(*slab)->is_there()) return "no host memory for this rank's planes";
  }
  *state = part.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  part->u->scatter(call.address(0));
  part->v->scatter(call.address(1));
}

void gather(const Call& call) { static_cast<const Part*>(call.state)->v->gather(call.address(1)); }

const char* refuse(const Problem& problem, const Shape&) {
  return problem.extents.z / problem.parts < heat3d::radius_of(problem)
             ? "a rank would have fewer planes than the stencil's radius: choose fewer ranks, or more planes"
             : nullptr;
}

void fit(const Problem& problem, Shape& shape) { heat3d::fit_bands(problem, shape); }

std::int64_t workspace(const Problem& problem, const Shape&) {
  const std::int64_t planes =
      share_of(problem.extents.z, problem.parts, 0).count + 2 * heat3d::radius_of(problem);
  const std::int64_t bytes =
      planes * problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type)) +
      3 * 4096;
  return (heat3d::steps_of(problem) > 1 ? 3 : 2) * bytes;
}

Variant form() {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.description =
      "MPI ranks with one slab of planes each, threads within; halo exchange can overlap with computation";
  std::vector<TunableMember<Shape>> members = heat3d::band_members<Shape>();
  members.push_back({"overlap", &Shape::overlap, {0, 1}});
  variant.tunables = tunables<Shape>(members);
  variant.adapt = by_name<fit>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Part*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  variant.parts.separable = true;
  return variant;
}

}  // namespace mpi

// One sweep per step, distributed among threads. Planes are divided into bands of rows, and a thread goes
// through all planes of its bands. The 2R + 1 planes of a band fit in the core's L2 cache, so that each value
// comes from memory once. Rows use SIMD. Threads synchronise once per step, at the end of the parallel loop.
// A float point costs 8 bytes of memory traffic per step, and 4 more because lines of v are fetched before
// they are overwritten.
namespace simd {

template <typename T>
void launch(const Call& call) {
  const Extents box = call.problem.extents;
  const auto bands = call.tuned<Bands>();
#pragma omp parallel
  heat3d::sweep_steps(call, static_cast<T*>(call.state),
                      [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
                        heat3d::share_rows(box, 0, box.z, bands, [&](std::int64_t z, std::int64_t y) {
                          heat3d::update_row<radius, weights>(from, to, box, z, y);
                        });
                      });
}

Variant form() {
  Variant variant =
      heat3d::host_variant("threads over bands of rows that fit in the L2 cache; SIMD along rows");
  variant.tunables = tunables<Bands>(heat3d::band_members<Bands>());
  variant.adapt = by_name<heat3d::fit_bands>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace simd

// Several steps per pass over memory (time skewing). A pass goes through the box in slabs of planes. While a
// slab is in the caches, `steps_per_pass` steps are computed for it. The planes of each step lie R planes
// lower than those of the previous step, so that its inputs are ready (steps.hpp explains why). Each step of
// a slab is distributed among threads by bands of rows, as in openmp.simd, and ends with a barrier.
// Memory is read and written once per `steps_per_pass` steps, and no point is computed twice. The cost is one
// barrier per slab and step.
namespace skewed {

struct Slabs : heat3d::Bands {
  int steps_per_pass = 8, slab = 8;  // steps per pass over memory; planes per slab
};

template <typename T>
void launch(const Call& call) {
  const Extents box = call.problem.extents;
  const auto slabs = call.tuned<Slabs>();
  const std::int64_t steps = heat3d::steps_of(call.problem);
  heat3d::with_stencil(call.problem, [&]<int radius, heat3d::Weights weights>() {
    const auto sweep = [&](std::int64_t step, std::int64_t first, std::int64_t last) {
      const auto arrays = heat3d::sweep_of(call, static_cast<T*>(call.state), step, steps);
      heat3d::share_rows(box, first, last, slabs, [&](std::int64_t z, std::int64_t y) {
        heat3d::update_row<radius, weights>(arrays.from, arrays.to, box, z, y);
      });
    };
#pragma omp parallel
    heat3d::sweep_in_slabs(box.z, radius, steps, slabs.steps_per_pass, slabs.slab, sweep);
  });
}

std::vector<TunableMember<Slabs>> members() {
  auto list = heat3d::band_members<Slabs>();
  list.push_back({"steps_per_pass", &Slabs::steps_per_pass, {1, 2, 4, 8, 16, 32}});
  list.push_back({"slab", &Slabs::slab, {1, 2, 4, 8, 16, 32, 64}});
  return list;
}

void adapt(const Problem& problem, Slabs& slabs) { heat3d::fit_bands(problem, slabs); }

Variant form() {
  Variant variant =
      heat3d::host_variant("time skewing: several steps per pass over slabs of planes; SIMD along rows");
  variant.tunables = tunables<Slabs>(members());
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace skewed

// As openmp.simd, but with streaming stores, which bypass the caches. Results are collected in registers by
// whole cache lines and written straight to memory. No line of v is fetched before it is overwritten. That
// saves a third of the traffic if the box does not fit in the caches. If it does fit, the next step must
// fetch from memory what the caches would have held. A fence and a barrier after each step make the stores
// visible to all threads.
namespace streaming {

// Replaces the sums at the ends of row [begin, end) by the fixed boundary values. stream_runs calls this for
// each chunk that it stores.
template <int radius, typename T>
struct RowEnds {
  const T* u = nullptr;
  std::int64_t begin = 0, end = 0;

  void operator()(std::int64_t from, std::int64_t to, T* part) const {
    for (std::int64_t i = from; i < std::min(to, begin + radius); ++i) part[i - from] = u[i];
    for (std::int64_t i = std::max(from, end - radius); i < to; ++i) part[i - from] = u[i];
  }
};

// Like update_row, but with streaming stores, which bypass the caches. The sums of the row's first and last
// points read values of adjacent rows. The boundary values then replace these sums.
template <int radius, heat3d::Weights weights, typename T>
void stream_row(const T* u, T* v, const Extents& box, std::int64_t z, std::int64_t y) {
  const std::int64_t begin = (z * box.y + y) * box.x, end = begin + box.x, plane = box.x * box.y;
  if (heat3d::in_rim<radius>(z, box.z) || heat3d::in_rim<radius>(y, box.y) || box.x <= 2 * radius)
    return heat3d::update_row<radius, weights>(u, v, box, z, y);
  stream_runs<1>(
      begin, end, 0, v, [=](std::int64_t i) { return heat3d::point<radius, weights>(u, box.x, plane, i); },
      [=](std::int64_t) {
        return RowEnds<radius, T>{u, begin, end};
      });
}

template <typename T>
void launch(const Call& call) {
  const Extents box = call.problem.extents;
  const auto bands = call.tuned<Bands>();
#pragma omp parallel
  heat3d::sweep_steps(call, static_cast<T*>(call.state),
                      [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
                        heat3d::share_rows(box, 0, box.z, bands, [&](std::int64_t z, std::int64_t y) {
                          stream_row<radius, weights>(from, to, box, z, y);
                        });
                        stream_fence();
#pragma omp barrier
                      });
}

Variant form() {
  Variant variant = heat3d::host_variant(
      "threads over bands of rows that fit in the L2 cache; SIMD along rows; streaming stores");
  variant.tunables = tunables<Bands>(heat3d::band_members<Bands>());
  variant.adapt = by_name<heat3d::fit_bands>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.for_large_arrays = true;
  return variant;
}

}  // namespace streaming

}  // namespace

std::vector<Variant> heat3d_openmp() {
  return {
      named("mpi", mpi::form()),
      named("simd", simd::form()),
      named("skewed", skewed::form()),
      named("streaming", streaming::form()),
  };
}

}  // namespace sextant
