#include "newton.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
  for_each_index(0, n, [=](std::int64_t i) { nbody::attract_one<nbody::LibraryRoot>(n, all, i); });
}

}  // namespace

Variant nbody_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over bodies, a body's pulls in the lanes of vectors";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
