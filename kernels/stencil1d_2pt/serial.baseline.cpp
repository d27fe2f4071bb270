#include "loop.hpp"

namespace sextant {

Variant stencil1d_2pt_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = SEXTANT_FLOAT_DOUBLE(stencil1d_2pt::loop);
  return variant;
}

}  // namespace sextant
