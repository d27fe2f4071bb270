// The form that one would write first: a region a step, the three loops as one.
#include "target.hpp"

#include "toolbox/index.hpp"

namespace sextant {
namespace {

template <int radius, heat3d::Weights weights, typename T, typename Index>
void sweep(Index nx, Index ny, Index nz, const T* u, T* v) {
  const std::int64_t row = nx, plane = row * ny, count = plane * nz;
#pragma omp target teams distribute parallel for collapse(3) map(to : u [0:count]) map(from : v [0:count])
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x) {
        const std::int64_t i = z * plane + y * row + x;
        const bool rim =
            heat3d::in_rim<radius>(x, nx) || heat3d::in_rim<radius>(y, ny) || heat3d::in_rim<radius>(z, nz);
        v[i] = rim ? u[i] : heat3d::point<radius, weights>(u, row, plane, i);
      }
}

template <typename T>
void launch(const Call& call) {
  const Extents& box = call.problem.extents;
  with_index(call.problem, [&]<typename Index>() {
    heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
      sweep<radius, weights>(static_cast<Index>(box.x), static_cast<Index>(box.y), static_cast<Index>(box.z),
                             from, to);
    });
  });
}

}  // namespace

Variant heat3d_target_parallel_for() {
  Variant variant = heat3d::with_workspace(
      target::mapped_variant("target teams distribute parallel for, three loops as one, a region a step"));
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
