// What `sextant submit --print` prints.
#pragma once

#include <string>

#include "cluster/sweep_plan.hpp"

namespace sextant {

// A shell script that does what `sextant submit` would: it makes the sweep's folder with both jobs' scripts
// and the plan, hands them to sbatch, the second behind the first, and keeps their numbers in the plan.
std::string sending_script(cluster::SweepPlan plan);

}  // namespace sextant
