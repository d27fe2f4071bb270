#include "loop.hpp"

namespace sextant {

Variant blackscholes_serial_native() {
  Variant variant;
  variant.description = "the plain loop, functions of the library, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(blackscholes::loop);
  return variant;
}

}  // namespace sextant
