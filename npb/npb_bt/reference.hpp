// BT by its definition in long double: a line's blocks as a matrix of the published Jacobians, eliminated with pivots.
#pragma once

#include "problem.hpp"

namespace sextant::npb_bt {

// Norms and last state; `field` may be null.
void reference_run(const Problem& problem, double* norms, double* field);

}  // namespace sextant::npb_bt
