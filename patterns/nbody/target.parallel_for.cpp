// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void attract(std::int64_t n, const T* x, const T* y, const T* z, const T* m, T* ax, T* ay, T* az) {
#pragma omp target teams distribute parallel for map(to                                    \
                                                     : x [0:n], y [0:n], z [0:n], m [0:n]) \
    map(from                                                                               \
        : ax [0:n], ay [0:n], az [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T to_x = 0, to_y = 0, to_z = 0;
    for (std::int64_t j = 0; j < n; ++j)
      nbody::pull<nbody::LibraryRoot>(x[j] - x[i], y[j] - y[i], z[j] - z[i], m[j], to_x, to_y, to_z);
    ax[i] = to_x;
    ay[i] = to_y;
    az[i] = to_z;
  }
}

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  attract(call.problem.extents.x, all.x, all.y, all.z, all.m, all.ax, all.ay, all.az);
}

}  // namespace

Variant nbody_target_parallel_for() {
  Variant variant =
      target::mapped_variant("the form one writes first: target teams distribute parallel for over bodies");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
