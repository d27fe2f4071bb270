#include "loop.hpp"
#include "suite/compilation.hpp"
#include "vectors.hpp"

namespace sextant {
namespace {

namespace vectors {

template <typename T>
void launch(const Call& call) {
  horner::evaluate_part<T>(call, 0, call.problem.extents.x);
}

Variant form() {
  Variant variant = horner::vectors_variant("1, 4 or 8 vectors of values in flight");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace vectors

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(horner)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(horner::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(horner::loop)},
      named("vectors", vectors::form()),
  });
}

}  // namespace sextant
