// How far a sum in floating point may be off.
#pragma once

#include "suite/extents.hpp"
#include "suite/kernel.hpp"

namespace sextant {

// `factor` times u (terms + 4), u the unit roundoff: for sums of `terms` independent terms of mean 0.
//
// The error of a sum is that of its additions, each at most u times the partial sum that it makes (N. J.
// Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002, section 4.2). With terms of
// variance v the partial sum of k terms is a random walk of variance v k; were each rounding uniform within
// u times it, its variance would be u^2 v k/3, and that of n additions in a row u^2 v n^2/6: a standard
// deviation of u n sqrt(v/6). For elements uniform in [-1, 1), v = 1/3, that is u n/4.2, and for products of
// two of them, v = 1/9, u n/7.3; so a factor of 2 allows 14 deviations of a dot product. The 4 leaves room
// where there are few terms.
inline Tolerance rounded_sum_tolerance(const Problem& problem, std::int64_t terms, double factor) {
  return {.absolute = factor * unit_roundoff(problem.type) * static_cast<double>(terms + 4)};
}

}  // namespace sextant
