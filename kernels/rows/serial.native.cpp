#include "loop.hpp"

namespace sextant {

Variant rows_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(rows::loop);
  return variant;
}

}  // namespace sextant
