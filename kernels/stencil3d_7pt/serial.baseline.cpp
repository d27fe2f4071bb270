#include "loop.hpp"

namespace sextant {

Variant stencil3d_7pt_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = SEXTANT_FLOAT_DOUBLE(stencil3d_7pt::loop);
  return variant;
}

}  // namespace sextant
