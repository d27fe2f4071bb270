#include "loop.hpp"

namespace sextant {

Variant compact_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(compact::loop);
  return variant;
}

}  // namespace sextant
