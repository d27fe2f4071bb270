// Several steps a pass over memory. A pass goes through the box in slabs of planes small enough for the
// second-level cache; while a slab is there, `depth` steps are done with it, each R planes lower than the one
// before, so that it finds its inputs ready (slabs.hpp says why that is right). Each step of a slab is a launch
// of march's sweep: launches wait for each other, blocks do not. Memory is read and written once in `depth`
// steps and nothing is computed twice; the price is a launch's ramp, 3 to 5 µs, for every slab and step.
#include "march_launch.cuh"
#include "slabs.hpp"

namespace sextant {
namespace {

struct Slabs : heat3d::MarchShape {
  int depth = 8, slab = 32;  // steps a pass, planes
};

// Calls sweep(step, first, last) for each launch, in order.
template <typename SweepPlanes>
void in_slabs(const Call& call, const Slabs& slabs, SweepPlanes sweep) {
  const Problem& problem = call.problem;
  heat3d::sweep_in_slabs(problem.extents.z, heat3d::radius_of(problem), heat3d::steps_of(problem),
                         slabs.depth, slabs.slab, sweep);
}

template <typename T>
void launch_all(const Call& call) {
  const auto slabs = call.tuned<Slabs>();
  const std::int64_t steps = heat3d::steps_of(call.problem);
  const heat3d::March march = heat3d::march_of(call, slabs);
  in_slabs(call, slabs, [&](std::int64_t step, std::int64_t first, std::int64_t last) {
    const auto [from, to] = heat3d::sweep_of(call, heat3d::workspace_of<T>(call), step, steps);
    march.sweep(march, from, to, first, last, 0);
  });
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  std::int64_t launches = 0;
  in_slabs(call, call.tuned<Slabs>(), [&](std::int64_t, std::int64_t, std::int64_t) { ++launches; });
  return heat3d::prepare_recorded(call, state, launches, SEXTANT_FLOAT_DOUBLE(launch_all));
}

const char* constraint(const Problem& problem, const Slabs& slabs) {
  return heat3d::refuse_march(problem, slabs);
}

// Slabs whose two arrays, with the planes that the skew adds, take 40 MB at most: more than half, and less
// than all, of an H200's second-level cache.
void adapt(const Problem& problem, Slabs& slabs) {
  heat3d::adapt_march(problem, slabs);
  const int radius = heat3d::radius_of(problem);
  const std::int64_t planes =
      2 * problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
  slabs.depth = radius <= 2 ? 8 : 4;
  const std::int64_t skew = std::int64_t{slabs.depth} * radius;
  slabs.slab = 8;
  while (slabs.slab < 256 && (2 * slabs.slab + skew) * planes <= 40'000'000) slabs.slab *= 2;
}

std::vector<TunableMember<Slabs>> members() {
  auto list = heat3d::march_members<Slabs>();
  list.push_back({"depth", &Slabs::depth, {1, 2, 4, 8, 16}});
  list.push_back({"slab", &Slabs::slab, {8, 16, 32, 64, 128, 256}});
  return list;
}

}  // namespace

// Floor: the second-level cache's 7 to 8 TB/s instead of memory's 4.3, up to 900 G points/s of floats, less the
// launches' ramps. Measured on an H200 in 256 x 256 x 1024 floats, G points/s: 541, 374, 385 for R = 1, 2, 3
// (docs/heat-stencil.md); but for R = 1 that is less than a single sweep's.
Variant heat3d_cuda_skewed() {
  Variant variant = heat3d::recorded_variant(
      "several steps a pass over memory: slabs of planes that the L2 cache holds, skewed in time, steps in a "
      "graph");
  variant.tunables = tunables<Slabs>(members());
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
