// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void multiply(std::int64_t n, const T* a, const T* x, T* y) {
#pragma omp target teams distribute parallel for map(to : a [0:n * n], x [0:n]) map(from : y [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  multiply(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant matvec_target_parallel_for() {
  Variant variant =
      target::mapped_variant("the form one writes first: target teams distribute parallel for over rows");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
