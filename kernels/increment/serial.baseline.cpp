#include "loop.hpp"

namespace sextant {

Variant increment_serial_baseline() {
  Variant variant;
  variant.description = "the plain loops, -O2: the study's baseline";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(increment::loop);
  return variant;
}

}  // namespace sextant
