// Reference implementations of NAS FT, which check whole fields. Small fields are computed in long double
// with recursive radix-2 transforms; large fields in double without transforms. They share only constants
// with the variants.
#pragma once

#include <vector>

#include "problem.hpp"

namespace sextant::npb_ft {

struct LongComplex {
  long double re, im;
};
using LongField = std::vector<LongComplex>;

// Computes out[k] = sum of in[j * stride] * exp(sign 2 pi i jk / n). roots[j] is exp(sign 2 pi i j / (n
// stride)).
void transform_by_halves(std::int64_t n, std::int64_t stride, const LongComplex* in, LongComplex* out,
                         const LongComplex* roots);

// Transforms all three dimensions in place with exponents of this sign (+1 or -1), unnormalized.
void transform_field(const Extents& extents, int sign, LongField& data);

// Stores the checksums of every iteration and the last w as pairs of doubles. `field` may be null.
void reference_run(const Problem& problem, double* checksums, double* field);

// Computes the same results as reference_run without transforms: u is convolved with the heat kernel of all
// steps, one dimension after another. This takes n operations per point and dimension. The errors are a few
// roundings of the largest values. Official problem classes get the published checksums.
void convolved_run(const Problem& problem, double* checksums, double* field);

}  // namespace sextant::npb_ft
