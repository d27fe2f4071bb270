// The outcome of each measurement against the fastest of its problem.
#pragma once

#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// Sets Summary::outcome. At each problem of a machine, all correct and current measurements compete, except
// variants that are excluded from ranking and problems in parts.
void add_outcomes(std::vector<Summary>* summaries);

}  // namespace sextant
