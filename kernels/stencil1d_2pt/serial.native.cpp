#include "loop.hpp"

namespace sextant {

Variant stencil1d_2pt_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = stencil1d_2pt::loop<float>, .float64 = stencil1d_2pt::loop<double>};
  return variant;
}

}  // namespace sextant
