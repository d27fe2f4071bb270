// Provides a machine's session with ceilings, measured now or taken from a results file.
#pragma once

#include <string>

#include "predict/profile.hpp"
#include "record/results.hpp"

namespace sextant {

// Measures this machine's ceilings, which takes seconds and prints messages. `environment` describes this
// machine.
Session measured_session(const Environment& environment);
Session measured_session();

// Returns all GPUs, up to the limit of a device group, as a device text: "gpu0-3". It is empty for fewer than
// two GPUs.
std::string team_of_gpus(const Environment& environment);
// Returns the newest session of the file that has ceilings. Throws UserError if there is none.
Session stored_session(const std::string& path);

// Returns the profile of that session, with the cost of a library's first use from the file's cases on that
// machine.
predict::Profile stored_profile(const std::string& path);

}  // namespace sextant
