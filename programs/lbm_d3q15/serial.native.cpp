#include "serial.hpp"

namespace sextant {

Variant lbm_d3q15_serial_native() {
  Variant variant = lbm_d3q15::two_loops();
  variant.description = "propagate, then collide, plain loops, -O3 for this processor";
  return variant;
}

}  // namespace sextant
