#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void region(std::int64_t n, const T* x, const T* from, T* y, T sign) {
#pragma omp target teams distribute parallel for map(to : x [0:n], from [0:n]) map(from : y [0:n])
  for (std::int64_t i = 0; i < n; ++i) y[i] = T(0.5) * from[i] + sign * x[i];
}

template <typename T>
void launch(const Call& call) {
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t t = 0; t < map_chain::steps_of(call.problem); ++t)
    region(call.problem.extents.x, x, t == 0 ? y0 : y, y, t % 2 == 0 ? T(1) : T(-1));
}

}  // namespace

Variant map_chain_target_region_each() {
  Variant variant = target::mapped_variant("the form one writes first: a region a map");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
