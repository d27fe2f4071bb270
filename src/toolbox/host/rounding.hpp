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
// terms is a random walk of variance v k. A rounding error that is uniform within its bound then has the
// variance u^2 v k/3. The total of n sequential additions has a standard deviation of u n sqrt(v/6): u n/4.2
// for elements uniform in [-1, 1), and u n/7.3 for products of two of them. A factor of 2 thus allows 14
// standard deviations of a dot product. The 4 leaves a margin for few terms.
inline Tolerance rounded_sum_tolerance(const Problem& problem, std::int64_t terms, double factor) {
  return {.absolute = factor * unit_roundoff(problem.type) * static_cast<double>(terms + 4)};
}

}  // namespace sextant
