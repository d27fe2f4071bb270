#include "loop.hpp"

namespace sextant {

Variant increment_serial_native() {
  Variant variant;
  variant.description = "the plain loops, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(increment::loop);
  return variant;
}

}  // namespace sextant
