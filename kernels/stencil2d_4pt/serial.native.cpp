#include "loop.hpp"

namespace sextant {

Variant stencil2d_4pt_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(stencil2d_4pt::loop);
  return variant;
}

}  // namespace sextant
