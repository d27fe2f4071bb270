#include "loop.hpp"

namespace sextant {

Variant stencil3d_7pt_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = stencil3d_7pt::loop<float>, .float64 = stencil3d_7pt::loop<double>};
  return variant;
}

}  // namespace sextant
