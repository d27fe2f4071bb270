// As parallel_for, with the lanes of each thread at work, too, and the launch's shape.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s, const target::Teams& shape) {
  const int teams = target::teams_for(shape, n), threads = shape.threads;
#pragma omp target SEXTANT_WARPS(threads) map(a [0:n], b [0:n], c [0:n])
#pragma omp teams distribute parallel for simd num_teams(teams) SEXTANT_THREADS(threads)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
       static_cast<T>(triad::scalar), call.tuned<target::Teams>());
}

}  // namespace

Variant triad_target_parallel_for_simd() {
  Variant variant = target::teams_variant("teams distribute parallel for simd, with teams and threads");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
