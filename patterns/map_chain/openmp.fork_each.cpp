#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, steps = map_chain::steps_of(call.problem);
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1), half = T(0.5);
  T* y = call.array<T>(2);
  for (std::int64_t t = 0; t < steps; ++t) {
    const T *from = t == 0 ? y0 : y, sign = t % 2 == 0 ? T(1) : T(-1);
#pragma omp parallel for simd schedule(static)
    for (std::int64_t i = 0; i < n; ++i) y[i] = half * from[i] + sign * x[i];
  }
}

}  // namespace

Variant map_chain_openmp_fork_each() {
  Variant variant;
  variant.description = "the form one writes first: a parallel loop a map";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
