// The program by its definition in long double, for the check of whole fields at small sizes: recursive
// transforms of radix 2, line by line; and without any transform in double, for those at large ones. Nothing
// of it is shared with the variants but the problem's constants.
#pragma once

#include <vector>

#include "problem.hpp"

namespace sextant::npb_ft {

struct LongComplex {
  long double re, im;
};
using LongField = std::vector<LongComplex>;

// out[k] = sum of in[j * stride] * exp(sign 2 pi i jk / n); roots[j] is exp(sign 2 pi i j / (n stride)).
void transform_by_halves(std::int64_t n, std::int64_t stride, const LongComplex* in, LongComplex* out,
                         const LongComplex* roots);

// All three dimensions, in place, with exponents of this sign (+1, -1), unnormalised.
void transform_field(const Extents& extents, int sign, LongField& data);

// Checksums of every iteration and the last w, as pairs of doubles; `field` may be null.
void reference_run(const Problem& problem, double* checksums, double* field);

// The same field another way: the heat equation's solution is u convolved with the kernel of so many steps,
// one dimension after the other, as sums in double (n operations a point and dimension; errors of a few u of
// the largest values). Of a class the checksums are the published ones.
void convolved_run(const Problem& problem, double* checksums, double* field);

}  // namespace sextant::npb_ft
