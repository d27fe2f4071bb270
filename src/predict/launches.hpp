// Limits a machine's launch costs by the times of measured calls.
#pragma once

#include <vector>

#include "predict/contests.hpp"

namespace sextant::predict {

// Returns the profile with each launch cost limited to the shortest measured call on the same hardware. A
// launch cost is too high if it was measured on a busy machine. `calls`: problems of `data` with call times.
Profile with_launches_within(Profile profile, const DataSet& data, const std::vector<Contest>& calls);

}  // namespace sextant::predict
