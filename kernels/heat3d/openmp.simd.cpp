#include "host.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const Extents box = call.problem.extents;
  const std::int64_t steps = heat3d::steps_of(call.problem);
  heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
#pragma omp parallel
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                               static_cast<T*>(call.state), step, steps);
      heat3d::share_rows(box, 0, box.z, call.tuning[0], [&](std::int64_t z, std::int64_t y) {
        heat3d::update_row<radius>(from, to, box, z, y);
      });
    }
  });
}

}  // namespace

Variant heat3d_openmp_simd() {
  Variant variant = heat3d::host_variant("threads over bands of rows that stay in cache, SIMD along rows");
  variant.tunables = heat3d::band_tunable();
  variant.adapt = [](const Problem& problem, int* tuning) { tuning[0] = heat3d::fitting_rows(problem); };
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
