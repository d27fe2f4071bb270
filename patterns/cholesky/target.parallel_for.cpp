// The form that one would write first: a region a column, whose threads find its root each by themselves.
#include <cmath>

#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void factor_column(std::int64_t n, std::int64_t j, const T* a, T* l) {
  const std::int64_t count = n * n;
#pragma omp target teams distribute parallel for map(a [0:count], l [0:count])
  for (std::int64_t i = 0; i < n; ++i) {
    if (i < j) {
      l[i * n + j] = 0;
    } else {
      T square = a[j * n + j], sum = a[i * n + j];
      for (std::int64_t k = 0; k < j; ++k) {
        square -= l[j * n + k] * l[j * n + k];
        sum -= l[i * n + k] * l[j * n + k];
      }
      l[i * n + j] = i == j ? std::sqrt(square) : sum / std::sqrt(square);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  for (std::int64_t j = 0; j < n; ++j) factor_column(n, j, call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant cholesky_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, a region a column, a row a thread");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
