#include "loop.hpp"

namespace sextant {

Variant matvec_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = SEXTANT_FLOAT_DOUBLE(matvec::loop);
  return variant;
}

}  // namespace sextant
