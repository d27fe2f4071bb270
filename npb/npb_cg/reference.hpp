// Reference implementation of CG, which checks zeta and x at small sizes. It builds the matrix term by term
// and uses long double for vectors and sums. It shares only constants and random numbers with the variants.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "problem.hpp"
#include "toolbox/npb_random.hpp"

namespace sextant::npb_cg {

using SparseRow = std::map<std::int64_t, double>;  // value of each column with a nonzero

std::vector<SparseRow> reference_matrix(const Problem& problem);

// Stores zeta and rnorm of every iteration, and the last x.
void reference_run(const Problem& problem, double* zeta, double* rnorm, double* x);

}  // namespace sextant::npb_cg
