// Teams of several warps, for forms that say what each of a team's lanes does.
#pragma once

#include "toolbox/target/teams.hpp"

namespace sextant::target {

// Iterations of a `teams distribute SEXTANT_LANES num_teams(t) SEXTANT_THREADS(warps)` loop that a team takes
// at a time: with GCC these are a warp's, whatever the number of warps says.
template <int warps>
#ifdef __clang__
inline constexpr int taken_together = lanes* warps;
#else
inline constexpr int taken_together = lanes;
#endif

}  // namespace sextant::target
