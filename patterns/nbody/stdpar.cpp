#include "newton.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

namespace for_each {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
  for_each_index(0, n, [=](std::int64_t i) { nbody::attract_one<nbody::LibraryRoot>(n, all, i); });
}

}  // namespace for_each

namespace newton {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
  for_each_index(0, n, [=](std::int64_t i) { nbody::attract_one<nbody::NewtonRoot>(n, all, i); });
}

}  // namespace newton

}  // namespace

std::vector<Variant> nbody_stdpar() {
  return {
      {.name = "for_each",
       .description = "std::for_each over bodies; attracting bodies in SIMD lanes",
       .launch = SEXTANT_FLOAT_DOUBLE(for_each::launch)},
      {.name = "newton",
       .description = "like `for_each`, with reciprocal roots by Newton's method",
       .launch = SEXTANT_FLOAT_DOUBLE(newton::launch)},
  };
}

}  // namespace sextant
