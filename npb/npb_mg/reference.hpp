// Reference implementation of NAS MG in long double: every operator is a 27-point stencil, computed point by
// point. It shares only constants and the charges (the nonzeros of v) with the variants.
#pragma once

#include <vector>

#include "problem.hpp"

namespace sextant::npb_mg {

using LongField = std::vector<long double>;

// Sets `out` to the weighted sum over the 27 points around each point of a grid with side n. The index of
// `weights` is the distance.
void apply(std::int64_t n, const long double (&weights)[4], const LongField& in, LongField& out);

// Returns the restriction of a field of side n to side n / 2.
LongField restricted(std::int64_t n, const LongField& fine);

// Adds the interpolation of a field of side n / 2 to a field of side n.
void add_interpolated(std::int64_t n, const LongField& coarse, LongField& fine);

// Performs one V-cycle on a field of side n. r must be v - A u and is not updated.
void cycle(std::int64_t n, bool later_classes, const LongField& v, const LongField& r, LongField& u);

// Stores the norms before and after all iterations. Also stores the fields u and r unless they are null.
void reference_run(const Problem& problem, double* norms, double* u, double* r);

}  // namespace sextant::npb_mg
