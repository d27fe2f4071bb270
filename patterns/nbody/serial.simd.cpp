#include "newton.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
  for (std::int64_t i = 0; i < n; ++i) nbody::attract_one<nbody::NewtonRoot>(n, all, i);
}

}  // namespace

Variant nbody_serial_simd() {
  Variant variant;
  variant.description = "a body's pulls in the lanes of vectors, roots by arithmetic alone";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
