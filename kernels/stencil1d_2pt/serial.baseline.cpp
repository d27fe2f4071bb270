#include "loop.hpp"

namespace sextant {

Variant stencil1d_2pt_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = stencil1d_2pt::loop<float>, .float64 = stencil1d_2pt::loop<double>};
  return variant;
}

}  // namespace sextant
