#include "loop.hpp"

namespace sextant {

Variant transpose_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(transpose::loop);
  return variant;
}

}  // namespace sextant
