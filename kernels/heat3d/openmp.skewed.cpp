// Several steps a pass over memory. A pass goes through the box in slabs of planes; while a slab is in the
// caches, `depth` steps are done with it, each R planes lower than the one before, so that it finds its inputs
// ready (slabs.hpp says why that is right). Threads share each step of a slab by bands of rows, as in
// openmp.simd, and wait for each other after it. Memory is read and written once in `depth` steps, nothing is
// computed twice; what it costs is a barrier a slab and step.
#include "host.hpp"
#include "slabs.hpp"

namespace sextant {
namespace {

struct Slabs : heat3d::Bands {
  int depth = 8, slab = 8;  // steps a pass, planes
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
    heat3d::sweep_in_slabs(box.z, radius, steps, slabs.depth, slabs.slab, sweep);
  });
}

std::vector<TunableMember<Slabs>> members() {
  auto list = heat3d::band_members<Slabs>();
  list.push_back({"depth", &Slabs::depth, {1, 2, 4, 8, 16, 32}});
  list.push_back({"slab", &Slabs::slab, {1, 2, 4, 8, 16, 32, 64}});
  return list;
}

void adapt(const Problem& problem, Slabs& slabs) { heat3d::fit_bands(problem, slabs); }

}  // namespace

Variant heat3d_openmp_skewed() {
  Variant variant =
      heat3d::host_variant("several steps a pass over memory: slabs of planes skewed in time, SIMD");
  variant.tunables = tunables<Slabs>(members());
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
