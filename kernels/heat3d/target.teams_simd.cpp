// No `parallel`: a team is one thread, whose lanes share the points of a row. A region a step.
#include "target.hpp"

namespace sextant {
namespace {

template <int radius, heat3d::Weights weights, typename T>
void sweep(std::int64_t nx, std::int64_t ny, std::int64_t nz, const T* u, T* v, int teams) {
  const std::int64_t plane = nx * ny, count = plane * nz;
#pragma omp target SEXTANT_ONE_WARP map(u [0:count], v [0:count])
#pragma omp teams distribute collapse(2) num_teams(teams)
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y) {
      const std::int64_t begin = z * plane + y * nx;
      const bool rim = heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
#pragma omp SEXTANT_LANES
      for (std::int64_t x = 0; x < nx; ++x) {
        const std::int64_t i = begin + x;
        v[i] = rim || heat3d::in_rim<radius>(x, nx) ? u[i] : heat3d::point<radius, weights>(u, nx, plane, i);
      }
    }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  const int teams = target::teams_for(call.tuned<target::Warps>().teams, box.y * box.z, 1);
  heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
    sweep<radius, weights>(box.x, box.y, box.z, from, to, teams);
  });
}

}  // namespace

Variant heat3d_target_teams_simd() {
  Variant variant = heat3d::with_workspace(
      target::warps_variant("rows to teams of one thread, none to be started, points to its lanes"));
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
