#include "loop.hpp"

namespace sextant {

Variant segmented_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(segmented::loop);
  return variant;
}

}  // namespace sextant
