// An element a lane: teams are one thread each, which need not be started.
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void move(std::int64_t n, int most_teams, const std::int32_t* p, const T* a, T* y) {
  const int teams = target::teams_for(most_teams, n, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(p [0:n], a [0:n], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) y[p[i]] = a[i];
}

template <typename T>
void launch(const Call& call) {
  move(call.problem.extents.x, call.tuned<target::Warps>().teams, call.array<const std::int32_t>(0),
       call.array<const T>(1), call.array<T>(2));
}

}  // namespace

Variant scatter_target_simd() {
  Variant variant = target::warps_variant("teams distribute simd, an element a lane");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
