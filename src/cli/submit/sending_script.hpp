// Generates the script that `sextant submit --print` prints.
#pragma once

#include <string>

#include "cluster/sweep_plan.hpp"

namespace sextant {

// Returns a shell script that does the work of `sextant submit`. It creates the sweep's folder with both job
// scripts and the plan. It submits the shards and the merge that follows them. It stores their job numbers in
// the plan.
std::string sending_script(cluster::SweepPlan plan);

}  // namespace sextant
