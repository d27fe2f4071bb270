// All maps in one region, an element a lane: teams are one thread each, which need not be started.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void chain(std::int64_t n, std::int64_t steps, const T* x, const T* y0, T* y, const target::Warps& shape) {
  const int teams = target::teams_for(shape, n);
#pragma omp target SEXTANT_ONE_WARP map(x [0:n], y0 [0:n], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const T a = x[i];
    T b = y0[i];
    std::int64_t t = 0;
    for (; t + 1 < steps; t += 2) {
      const T once = T(0.5) * b + a;
      b = T(0.5) * once - a;
    }
    y[i] = t < steps ? T(0.5) * b + a : b;
  }
}

template <typename T>
void launch(const Call& call) {
  chain(call.problem.extents.x, map_chain::steps_of(call.problem), call.array<const T>(0),
        call.array<const T>(1), call.array<T>(2), call.tuned<target::Warps>());
}

}  // namespace

Variant map_chain_target_fused() {
  Variant variant = target::warps_variant("all maps in one region, an element a lane");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
