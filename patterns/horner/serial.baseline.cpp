#include "loop.hpp"

namespace sextant {

Variant horner_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(horner::loop);
  return variant;
}

}  // namespace sextant
