// A machine with its ceilings: measured now, or what a results file has of it.
#pragma once

#include <string>

#include "predict/profile.hpp"
#include "record/results.hpp"

namespace sextant {

// This machine; says on standard error what it measures. Takes seconds. `environment` is this machine's.
Session measured_session(const Environment& environment);
Session measured_session();

// All GPUs as one place, or as many as a team has at most: "gpu0-3"; empty for fewer than two.
std::string team_of_gpus(const Environment& environment);
// The newest session of the file that has ceilings. Throws UserError: none has.
Session stored_session(const std::string& path);

// Its profile, with what the first use of a library cost in the file's cases on that machine.
predict::Profile stored_profile(const std::string& path);

}  // namespace sextant
