#include "loop.hpp"

namespace sextant {

Variant scatter_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(scatter::loop);
  return variant;
}

}  // namespace sextant
