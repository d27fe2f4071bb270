#include "host.hpp"
#include "slabs.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const Extents box = call.problem.extents;
  const std::int64_t steps = heat3d::steps_of(call.problem);
  heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
#pragma omp parallel
    heat3d::sweep_in_slabs(
        box.z, radius, steps, call.tuning[1], call.tuning[2],
        [&](std::int64_t step, std::int64_t first, std::int64_t last) {
          const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                                   static_cast<T*>(call.state), step, steps);
          heat3d::share_rows(box, first, last, call.tuning[0], [&](std::int64_t z, std::int64_t y) {
            heat3d::update_row<radius>(from, to, box, z, y);
          });
        });
  });
}

}  // namespace

Variant heat3d_openmp_skewed() {
  Variant variant =
      heat3d::host_variant("several steps a pass over memory: slabs of planes skewed in time, SIMD");
  variant.tunables = heat3d::band_tunable();
  variant.tunables.push_back({"depth", {1, 2, 4, 8, 16, 32}, 8});
  variant.tunables.push_back({"slab", {1, 2, 4, 8, 16, 32, 64}, 8});
  variant.adapt = [](const Problem& problem, int* tuning) { tuning[0] = heat3d::fitting_rows(problem); };
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
