#include "serial.hpp"

namespace sextant {

Variant lbm_d3q15_serial_baseline() {
  Variant variant = lbm_d3q15::two_loops();
  variant.description = "propagate, then collide, plain loops, -O2: the study's baseline";
  return variant;
}

}  // namespace sextant
