// Lowers the measured launch costs of a machine if they are longer than whole measured calls.
#pragma once

#include <vector>

#include "predict/contests.hpp"

namespace sextant::predict {

// Returns the profile with no launch cost above the shortest measured call on the same hardware. A higher
// cost was measured on a busy machine. `calls`: problems of `data` with their call times.
Profile with_launches_within(Profile profile, const DataSet& data, const std::vector<Contest>& calls);

}  // namespace sextant::predict
