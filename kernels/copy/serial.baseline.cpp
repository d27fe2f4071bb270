#include "loop.hpp"

namespace sextant {

Variant copy_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = SEXTANT_FLOAT_DOUBLE(copy::loop);
  return variant;
}

}  // namespace sextant
