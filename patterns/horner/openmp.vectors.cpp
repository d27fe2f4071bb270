#include "vectors.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
#pragma omp parallel for schedule(static)
  for (std::int64_t part = 0; part < horner::tiles_of(call.problem.extents.x); ++part)
    horner::evaluate_part<T>(call, part * horner::tile, horner::tile);
}

}  // namespace

Variant horner_openmp_vectors() {
  Variant variant = horner::vectors_variant("threads, each with 1, 4 or 8 vectors of values in flight");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
