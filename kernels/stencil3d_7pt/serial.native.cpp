#include "loop.hpp"

namespace sextant {

Variant stencil3d_7pt_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(stencil3d_7pt::loop);
  return variant;
}

}  // namespace sextant
