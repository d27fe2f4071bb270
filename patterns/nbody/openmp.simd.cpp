#include "newton.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) nbody::attract_one<nbody::LibraryRoot>(n, all, i);
}

}  // namespace

Variant nbody_openmp_simd() {
  Variant variant;
  variant.description = "threads over bodies, a body's pulls in the lanes of vectors";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
