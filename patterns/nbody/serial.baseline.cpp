#include "loop.hpp"

namespace sextant {

Variant nbody_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(nbody::loop);
  return variant;
}

}  // namespace sextant
