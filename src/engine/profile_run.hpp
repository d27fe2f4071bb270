// Checks one case and then records its device activity and OpenACC constructs for a profile.
#pragma once

#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "trace/activity.hpp"
#include "trace/constructs.hpp"

namespace sextant {

struct ProfileRun {
  // the calls of the variant, and the OpenACC constructs executed in each, ordered by start time
  std::vector<ConstructRecord> constructs;
  std::vector<ActivityRecord> activities;
  std::string without_records;  // why device activity was not recorded; empty if it was
};

// Checks the case, then runs it `calls` times in this process and records it. Without a GPU, OpenACC variants
// run on the host. Throws UserError if the case cannot run here (exit code `missing`) or its result is wrong
// (`check_failed`). Throws DeviceError if the device fails.
ProfileRun profile_case(const Case& what, int calls);

}  // namespace sextant
