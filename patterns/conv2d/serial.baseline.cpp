#include "loop.hpp"

namespace sextant {

Variant conv2d_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(conv2d::loop);
  return variant;
}

}  // namespace sextant
