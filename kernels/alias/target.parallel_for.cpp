// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, T* x, T* y) {
#pragma omp target teams distribute parallel for map(from : x [0:n], y [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<T>(0), call.array<T>(1));
}

}  // namespace

Variant alias_target_parallel_for() {
  Variant variant = target::mapped_variant("the form one writes first: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
