#include "loop.hpp"

namespace sextant {

Variant softmax_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(softmax::loop);
  return variant;
}

}  // namespace sextant
