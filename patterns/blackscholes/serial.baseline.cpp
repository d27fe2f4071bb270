#include "loop.hpp"

namespace sextant {

Variant blackscholes_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, functions of the library, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(blackscholes::loop);
  return variant;
}

}  // namespace sextant
