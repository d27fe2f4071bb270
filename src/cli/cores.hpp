// Serial code that the memory does not bound: measured on several cores at a time, where that changes no times.
#pragma once

#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "engine/dealing.hpp"
#include "record/environment.hpp"

namespace sextant {

struct OnCores {
  std::vector<Case> cases;  // the longest problems first; empty: none are measured beside others
  std::vector<Lane> lanes;
};

// Those of the cases that are measured beside each other (engine/core_lanes.hpp), and where. None where that would save
// little, where there are fewer than six cores, or where a trial shows that calls take longer beside others by more than
// `max_noise`. What the trial found is said, and added to `learnt`.
OnCores for_cores(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                  ProgressReporter& progress, Environment* learnt);

}  // namespace sextant
