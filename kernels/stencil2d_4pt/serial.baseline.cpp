#include "loop.hpp"

namespace sextant {

Variant stencil2d_4pt_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = stencil2d_4pt::loop<float>, .float64 = stencil2d_4pt::loop<double>};
  return variant;
}

}  // namespace sextant
