// The program by its definition in long double: every operator as a sum over 27 neighbours, point by point.
// Nothing of it is shared with the variants but the problem's constants and the charges.
#pragma once

#include <vector>

#include "problem.hpp"

namespace sextant::npb_mg {

using LongField = std::vector<long double>;

// out = sum over a point's 27 neighbours of a grid of side n, weights by distance.
void apply(std::int64_t n, const long double (&weights)[4], const LongField& in, LongField& out);

// The coarse field of side n / 2 that the restriction makes of one of side n.
LongField restricted(std::int64_t n, const LongField& fine);

// Adds to a field of side n what interpolation makes of one of side n / 2.
void add_interpolated(std::int64_t n, const LongField& coarse, LongField& fine);

// One V-cycle on a field of side n: r = v - A u on entry and not after.
void cycle(std::int64_t n, bool later_classes, const LongField& v, const LongField& r, LongField& u);

// norms before and after all iterations, and the fields u and r, which may be null.
void reference_run(const Problem& problem, double* norms, double* u, double* r);

}  // namespace sextant::npb_mg
