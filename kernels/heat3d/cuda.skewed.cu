#include "march_launch.cuh"
#include "recorded.cuh"
#include "slabs.hpp"

namespace sextant {
namespace {

constexpr int depth_at = heat3d::march_at::end, slab_at = depth_at + 1;  // of the tunables

template <typename T>
void launch_all(const Call& call) {
  const std::int64_t steps = heat3d::steps_of(call.problem);
  const heat3d::March march = heat3d::march_of(call);
  heat3d::sweep_in_slabs(
      call.problem.extents.z, heat3d::radius_of(call.problem), steps, call.tuning[depth_at],
      call.tuning[slab_at], [&](std::int64_t step, std::int64_t first, std::int64_t last) {
        const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                                 heat3d::workspace_of<T>(call), step, steps);
        march.sweep(march, from, to, first, last, 0);
      });
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  std::int64_t launches = 0;
  heat3d::sweep_in_slabs(call.problem.extents.z, heat3d::radius_of(call.problem),
                         heat3d::steps_of(call.problem), call.tuning[depth_at], call.tuning[slab_at],
                         [&](std::int64_t, std::int64_t, std::int64_t) { ++launches; });
  return call.problem.type == ElementType::float64
             ? heat3d::prepare_recorded<double>(call, state, launches, launch_all<double>)
             : heat3d::prepare_recorded<float>(call, state, launches, launch_all<float>);
}

// Slabs whose two arrays, with the planes that the skew adds, take 40 MB at most: more than half, and less
// than all, of an H200's L2 cache.
void adapt(const Problem& problem, int* tuning) {
  heat3d::adapt_march(problem, tuning);
  const int radius = heat3d::radius_of(problem);
  const std::int64_t planes =
      2 * problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
  tuning[depth_at] = radius <= 2 ? 8 : 4;
  const std::int64_t skew = std::int64_t{tuning[depth_at]} * radius;
  tuning[slab_at] = 8;
  while (tuning[slab_at] < 256 && (2 * tuning[slab_at] + skew) * planes <= 40'000'000) tuning[slab_at] *= 2;
}

}  // namespace

// Floor: the L2 cache's 7 to 8 TB/s instead of memory's 4.3: up to 900 G points/s of floats, less a launch's
// ramp for each slab of 3 to 5 µs. With the sweep before today's an H200 reached 327 and 216 for R = 1 and 3
// at 1024 planes of 256 x 256, less than the single sweep: the ramps cost more than was thought.
Variant heat3d_cuda_skewed() {
  Variant variant = heat3d::device_variant(
      "several steps a pass over memory: slabs of planes that the L2 cache holds, skewed in time, steps in a "
      "graph");
  variant.tunables = heat3d::march_tunables();
  variant.tunables.push_back({"depth", {1, 2, 4, 8, 16}, 8});
  variant.tunables.push_back({"slab", {8, 16, 32, 64, 128, 256}, 32});
  variant.adapt = adapt;
  variant.constraint = heat3d::refuse_march;
  variant.prepare = prepare;
  variant.release = heat3d::release_recorded;
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
