// Provides a session with the ceilings (measured hardware limits) of a machine, either measured now or taken
// from a results file.
#pragma once

#include <string>

#include "predict/profile.hpp"
#include "record/results.hpp"

namespace sextant {

// Measures this machine's ceilings, which takes seconds and prints messages. `environment` describes this
// machine.
Session measured_session(const Environment& environment);
Session measured_session();

// Returns the name of the group of all GPUs, up to the maximum size of a device group: "gpu0-3". Empty for
// fewer than two GPUs.
std::string team_of_gpus(const Environment& environment);
// Returns the newest session of the file that has ceilings. Throws UserError if there is none.
Session stored_session(const std::string& path);

// Returns the machine's profile from the file's newest session with ceilings. The cost of a library's first
// use comes from the file's cases on that machine.
predict::Profile stored_profile(const std::string& path);

}  // namespace sextant
