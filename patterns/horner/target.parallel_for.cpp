// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void evaluate(std::int64_t n, std::int64_t degree, const T* c, const T* x, T* y) {
  const std::int64_t coefficients = degree + 1;
#pragma omp target teams distribute parallel for map(to : c [0:coefficients], x [0:n]) map(from : y [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = c[degree];
    for (std::int64_t k = degree - 1; k >= 0; --k) sum = sum * x[i] + c[k];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  evaluate(call.problem.extents.x, horner::degree_of(call.problem), call.array<const T>(0),
           call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant horner_target_parallel_for() {
  Variant variant =
      target::mapped_variant("the form one writes first: target teams distribute parallel for over values");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
