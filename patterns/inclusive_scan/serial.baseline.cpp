#include "loop.hpp"

namespace sextant {

Variant inclusive_scan_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(inclusive_scan::loop);
  return variant;
}

}  // namespace sextant
