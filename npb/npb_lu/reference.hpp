// LU by its definition in long double: blocks as matrices of the published Jacobians, eliminated with pivots.
#pragma once

#include "problem.hpp"

namespace sextant::npb_lu {

// Norms, integral and last state; `field` may be null.
void reference_run(const Problem& problem, double* norms, double* field);

}  // namespace sextant::npb_lu
