#include "loop.hpp"

namespace sextant {

Variant stencil3d_7pt_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = stencil3d_7pt::loop<float>, .float64 = stencil3d_7pt::loop<double>};
  return variant;
}

}  // namespace sextant
