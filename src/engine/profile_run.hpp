// Runs one case for its profile: checked first, then recorded.
#pragma once

#include <string>
#include <vector>

#include "record/measurement.hpp"
#include "trace/activity.hpp"
#include "trace/constructs.hpp"

namespace sextant {

struct ProfileRun {
  std::vector<ConstructRecord> constructs;  // each call, and within it what OpenACC's run time told
  std::vector<ActivityRecord> activities;
  std::string without_records;  // why the device's activities were not recorded; empty if they were
};

// Runs the case `calls` times in this process and records it. OpenACC variants run on the host where there is
// no GPU. Throws UserError where the case cannot be run (with exit code missing for want of a GPU) or its
// result is wrong, DeviceError if the device fails.
ProfileRun profile_case(const Case& what, int calls);

}  // namespace sextant
