#include "loop.hpp"

namespace sextant {

Variant nbody_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(nbody::loop);
  return variant;
}

}  // namespace sextant
