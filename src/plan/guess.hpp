// What a case may cost, before anything was measured.
#pragma once

#include "record/case.hpp"

namespace sextant {

// A rough guess in seconds, from the kernel's work and what machines of today do, for at least `min_samples` samples
// over about `case_seconds`. The first case of a problem has its reference to compute.
double guess_seconds(const Case& what, int min_samples, double case_seconds, bool first_of_problem = true);

}  // namespace sextant
