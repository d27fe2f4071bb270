#include "serial.hpp"

#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace baseline {

Variant form() {
  Variant variant = lbm_d3q15::two_loops();
  variant.description = "propagate, then collide, plain loops, -O2: the study's baseline";
  return variant;
}

}  // namespace baseline

namespace native {

Variant form() {
  Variant variant = lbm_d3q15::two_loops();
  variant.description = "propagate, then collide, plain loops, -O3 for this processor";
  return variant;
}

}  // namespace native

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(lbm_d3q15)() {
  return compiled_here({
      named("baseline", baseline::form()),
      named("native", native::form()),
  });
}

}  // namespace sextant
