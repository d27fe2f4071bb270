// The program by its definition, for the check of zeta and x at small sizes: the matrix entry by entry,
// vectors and sums in long double. Nothing of it is shared with the variants but the problem's constants and
// the random numbers.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "problem.hpp"
#include "toolbox/npb_random.hpp"

namespace sextant::npb_cg {

using SparseRow = std::map<std::int64_t, double>;  // by column

std::vector<SparseRow> reference_matrix(const Problem& problem);

// zeta and rnorm of every iteration, and the last x.
void reference_run(const Problem& problem, double* zeta, double* rnorm, double* x);

}  // namespace sextant::npb_cg
