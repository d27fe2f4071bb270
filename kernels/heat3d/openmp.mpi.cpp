// The box cut along z into slabs of whole planes, one a rank. A step needs R planes of each neighbour. With overlap they
// travel while the planes that need none of them are computed, and the R outermost planes on either side follow; without,
// they travel first. A step sends 2 R planes, whatever the slab's height: what is sent is R / height of what is computed.
#include <memory>

#include "host.hpp"
#include "toolbox/host/slab.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

using heat3d::Bands;

struct Shape : Bands {
  int overlap = 1;
};

// Own planes of u, v and, where there are several steps, of what they alternate with.
struct Part {
  std::unique_ptr<Slab> u, v, w;
};

// The slab's planes as a box of their own: halos are its rim, and the box's own rim is where there is no halo.
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

// The planes [first, last) need no halo; those between them and the slab's own ends do.
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
  const bool computes = call.what != parts::Do::exchange;
  parts::Request requests[4];
  const int count = call.what == parts::Do::compute ? 0 : from.exchange(requests);
  if (!shape.overlap) call.ranks->waitall(count, requests);
  const Inner inner = inner_of(from, radius);
  if (computes) update_planes<radius, weights>(u, v, box, inner.first, inner.last, shape);
  if (shape.overlap) call.ranks->waitall(count, requests);
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
    *slab = std::make_unique<Slab>(*call.ranks, problem.extents.z, plane, heat3d::radius_of(problem));
    if (!(*slab)->is_there()) return "no host memory for this rank's planes";
  }
  *state = part.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  part->u->scatter(call.arrays ? call.arrays[0] : nullptr);
  part->v->scatter(call.arrays ? call.arrays[1] : nullptr);
}

void gather(const Call& call) {
  static_cast<const Part*>(call.state)->v->gather(call.arrays ? call.arrays[1] : nullptr);
}

const char* refuse(const Problem& problem, const Shape&) {
  return problem.extents.z / problem.parts < heat3d::radius_of(problem)
             ? "a rank would have fewer planes than the stencil reaches to a side: take fewer ranks, or a box of more "
               "planes"
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

}  // namespace

Variant heat3d_openmp_mpi() {
  Variant variant;
  variant.home = Home::ranks;
  variant.description =
      "ranks with a slab of planes each, threads within; halos travel while the inner planes are computed";
  std::vector<TunableMember<Shape>> members = heat3d::band_members<Shape>();
  members.push_back({"overlap", &Shape::overlap, {0, 1}});
  variant.tunables = tunables<Shape>(members);
  variant.adapt = by_name<fit>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Part*>(state); };
  variant.scatter = scatter;
  variant.gather = gather;
  variant.separable = true;
  return variant;
}

}  // namespace sextant
