#include "newton.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
  for_each_index(0, n, [=](std::int64_t i) { nbody::attract_one<nbody::NewtonRoot>(n, all, i); });
}

}  // namespace

Variant nbody_stdpar_newton() {
  Variant variant;
  variant.description = "as for_each, roots by arithmetic alone";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
