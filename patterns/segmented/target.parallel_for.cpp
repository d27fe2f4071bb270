#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void sum_segments(std::int64_t m, std::int64_t n, const std::int32_t* o, const T* a, T* y) {
#pragma omp target teams distribute parallel for map(to : o [0:m + 1], a [0:n]) map(from : y [0:m])
  for (std::int64_t j = 0; j < m; ++j) {
    T sum = 0;
    for (std::int64_t i = o[j]; i < o[j + 1]; ++i) sum += a[i];
    y[j] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  sum_segments(call.problem.extents.x, segmented::elements_of(call.problem),
               call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant segmented_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for over the segments");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
