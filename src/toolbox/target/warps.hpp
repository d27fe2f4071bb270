// Teams of several warps, for variants that address the lanes of a team individually.
#pragma once

#include "toolbox/target/teams.hpp"

namespace sextant::target {

// Iterations of a `teams distribute SEXTANT_LANES num_teams(t) SEXTANT_THREADS(warps)` loop that a team
// processes at a time. With GCC this is one warp's worth, whatever `warps` is.
template <int warps>
#ifdef __clang__
inline constexpr int taken_together = lanes* warps;
#else
inline constexpr int taken_together = lanes;
#endif

}  // namespace sextant::target
