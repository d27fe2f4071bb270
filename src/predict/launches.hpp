// Limits a machine's launch costs by the times of measured calls.
#pragma once

#include <vector>

#include "predict/contests.hpp"

namespace sextant::predict {

// Returns the profile with no launch cost above the shortest call measured on the same hardware. A launch
// cost that was measured on a busy machine is too high. `calls`: problems of `data` with times of
// Target::call.
Profile with_launches_within(Profile profile, const DataSet& data, const std::vector<Contest>& calls);

}  // namespace sextant::predict
