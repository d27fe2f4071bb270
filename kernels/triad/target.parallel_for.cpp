// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s) {
#pragma omp target teams distribute parallel for map(to : a [0:n], b [0:n]) map(from : c [0:n])
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
       static_cast<T>(triad::scalar));
}

}  // namespace

Variant triad_target_parallel_for() {
  Variant variant = target::mapped_variant("the form one writes first: target teams distribute parallel for");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
