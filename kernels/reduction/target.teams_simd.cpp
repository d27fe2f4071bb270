// No `parallel`: a team is one thread, whose lanes share the simd loop. Each team adds its sum to the one of all.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
T sum_up(std::int64_t n, const T* a, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
  T sum = 0;
#pragma omp target SEXTANT_ONE_WARP map(a [0:n]) map(sum)
#pragma omp teams distribute SEXTANT_LANES num_teams(teams) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i];
  return sum;
}

template <typename T>
void launch(const Call& call) {
  T* sum = call.array<T>(1);
  *sum = sum_up(call.problem.extents.x, call.array<const T>(0), call.tuned<target::Warps>());
#pragma omp target update to(sum [0:1])
}

}  // namespace

Variant reduction_target_teams_simd() {
  Variant variant =
      target::warps_variant("teams distribute simd: teams of one thread, none to be started, reduction");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
