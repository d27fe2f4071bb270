// Compares each measurement with the fastest one of its problem.
#pragma once

#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// Sets Summary::outcome. All correct and current measurements of a machine at one problem compete. Variants
// excluded from ranking and problems split over ranks or GPUs do not take part.
void add_outcomes(std::vector<Summary>* summaries);

}  // namespace sextant
