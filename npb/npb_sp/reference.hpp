// SP by its definition in long double: a line's systems as bands, eliminated as any band matrix is.
#pragma once

#include "problem.hpp"

namespace sextant::npb_sp {

// Norms and last state; `field` may be null.
void reference_run(const Problem& problem, double* norms, double* field);

}  // namespace sextant::npb_sp
