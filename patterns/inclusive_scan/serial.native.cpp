#include "loop.hpp"

namespace sextant {

Variant inclusive_scan_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(inclusive_scan::loop);
  return variant;
}

}  // namespace sextant
