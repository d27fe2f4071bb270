// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, const T* b, T* c) {
#pragma omp target teams distribute parallel for map(to : b [0:n]) map(from : c [0:n])
  for (std::int64_t i = 0; i < n; ++i) c[i] = b[i];
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant copy_target_parallel_for() {
  Variant variant = target::mapped_variant("the form one writes first: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
