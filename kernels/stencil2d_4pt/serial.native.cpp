#include "loop.hpp"

namespace sextant {

Variant stencil2d_4pt_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = stencil2d_4pt::loop<float>, .float64 = stencil2d_4pt::loop<double>};
  return variant;
}

}  // namespace sextant
