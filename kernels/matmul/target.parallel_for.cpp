// The form that one would write first.
#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T, typename Index>
void multiply(Index n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma omp target map(to : a [0:count], b [0:count]) map(from : c [0:count])
#pragma omp teams distribute parallel for collapse(2)
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      T sum = 0;
      for (Index k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    multiply(static_cast<Index>(call.problem.extents.x), call.array<const T>(0), call.array<const T>(1),
             call.array<T>(2));
  });
}

}  // namespace

Variant matmul_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, both outer loops as one");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
