#include "loop.hpp"

namespace sextant {

Variant conv2d_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(conv2d::loop);
  return variant;
}

}  // namespace sextant
