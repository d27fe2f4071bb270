#include "loop.hpp"

namespace sextant {

Variant gather_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(gather::loop);
  return variant;
}

}  // namespace sextant
