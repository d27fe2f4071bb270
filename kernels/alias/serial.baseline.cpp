#include "loop.hpp"

namespace sextant {

Variant alias_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(alias::loop);
  return variant;
}

}  // namespace sextant
