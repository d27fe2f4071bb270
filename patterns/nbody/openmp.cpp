#include "newton.hpp"

namespace sextant {
namespace {

namespace newton {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) nbody::attract_one<nbody::NewtonRoot>(n, all, i);
}

}  // namespace newton

namespace simd {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) nbody::attract_one<nbody::LibraryRoot>(n, all, i);
}

}  // namespace simd

}  // namespace

std::vector<Variant> nbody_openmp() {
  return {
      {.name = "newton",
       .description = "like `simd`, with reciprocal roots by Newton's method",
       .launch = SEXTANT_FLOAT_DOUBLE(newton::launch)},
      {.name = "simd",
       .description = "the plain form: threads over bodies; attracting bodies in SIMD lanes",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  };
}

}  // namespace sextant
