#include "loop.hpp"

namespace sextant {

Variant stencil1d_2pt_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(stencil1d_2pt::loop);
  return variant;
}

}  // namespace sextant
