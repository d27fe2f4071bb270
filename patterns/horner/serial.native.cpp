#include "loop.hpp"

namespace sextant {

Variant horner_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(horner::loop);
  return variant;
}

}  // namespace sextant
