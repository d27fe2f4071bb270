#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void move(std::int64_t n, const std::int32_t* p, const T* a, T* y) {
#pragma omp target teams distribute parallel for map(to : p [0:n], a [0:n]) map(from : y [0:n])
  for (std::int64_t i = 0; i < n; ++i) y[i] = a[p[i]];
}

template <typename T>
void launch(const Call& call) {
  move(call.problem.extents.x, call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant gather_target_parallel_for() {
  Variant variant = target::mapped_variant("the form one writes first: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
