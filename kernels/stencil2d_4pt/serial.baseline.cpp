#include "loop.hpp"

namespace sextant {

Variant stencil2d_4pt_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = SEXTANT_FLOAT_DOUBLE(stencil2d_4pt::loop);
  return variant;
}

}  // namespace sextant
