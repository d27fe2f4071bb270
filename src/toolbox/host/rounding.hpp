// The error bound of floating-point sums.
#pragma once

#include "suite/extents.hpp"
#include "suite/kernel.hpp"

namespace sextant {

// Returns an error bound for sums of `terms` independent terms of mean 0: factor * u * (terms + 4), where u
// is the unit roundoff.
//
// Each addition contributes an error of at most u times its partial sum (N. J. Higham, Accuracy and Stability
// of Numerical Algorithms, 2nd edition, 2002, section 4.2). With terms of variance v, the partial sum of k
// terms is a random walk of variance v k. If each rounding error is uniform within its bound, it has variance
// u^2 v k/3. The total of n sequential additions then has variance u^2 v n^2/6, a standard deviation of u n
// sqrt(v/6). This is u n/4.2 for elements uniform in [-1, 1) (v = 1/3), and u n/7.3 for products of two of
// them (v = 1/9). A factor of 2 thus allows 14 deviations of a dot product. The 4 leaves a margin for few
// terms.
inline Tolerance rounded_sum_tolerance(const Problem& problem, std::int64_t terms, double factor) {
  return {.absolute = factor * unit_roundoff(problem.type) * static_cast<double>(terms + 4)};
}

}  // namespace sextant
