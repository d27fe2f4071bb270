#include "loop.hpp"

namespace sextant {

Variant compact_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(compact::loop);
  return variant;
}

}  // namespace sextant
