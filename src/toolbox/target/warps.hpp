// Teams of several warps, for variants that give the lanes of a team different work.
#pragma once

#include "toolbox/target/teams.hpp"

namespace sextant::target {

// Number of iterations that a team of `warps` warps processes at a time in a loop with `teams distribute
// SEXTANT_LANES num_teams(t) SEXTANT_THREADS(warps)`. With GCC, a simd loop always uses one warp.
template <int warps>
#ifdef __clang__
inline constexpr int taken_together = lanes* warps;
#else
inline constexpr int taken_together = lanes;
#endif

}  // namespace sextant::target
