// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
T sum_up(std::int64_t n, const T* a, const T* b) {
  T sum = 0;
#pragma omp target map(tofrom : sum) map(to : a [0:n], b [0:n])
#pragma omp teams distribute parallel for reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  T* sum = call.array<T>(2);
  *sum = sum_up(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1));
#pragma omp target update to(sum [0:1])
}

}  // namespace

Variant dot_target_parallel_for() {
  Variant variant =
      target::mapped_variant("the form one writes first: target teams distribute parallel for, reduction");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
