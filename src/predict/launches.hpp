// What measured calls say of a machine's launches.
#pragma once

#include <vector>

#include "predict/contests.hpp"

namespace sextant::predict {

// The profile, of whose launches none takes longer than the shortest call that was measured on the same
// hardware: a ceiling that was measured while a machine was busy is too long. `calls`: problems of `data`, of
// Target::call.
Profile with_launches_within(Profile profile, const DataSet& data, const std::vector<Contest>& calls);

}  // namespace sextant::predict
