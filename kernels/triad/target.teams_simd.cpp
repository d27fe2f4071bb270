// No `parallel`: a team is one thread, whose lanes share the team's part of the loop.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void loop(std::int64_t n, const T* a, const T* b, T* c, T s, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], c [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

template <typename T>
void launch(const Call& call) {
  loop(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
       static_cast<T>(triad::scalar), call.tuned<target::Warps>());
}

}  // namespace

Variant triad_target_teams_simd() {
  Variant variant = target::warps_variant("teams distribute simd: teams of one thread, none to be started");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
