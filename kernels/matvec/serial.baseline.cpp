#include "loop.hpp"

namespace sextant {

Variant matvec_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = matvec::loop<float>, .float64 = matvec::loop<double>};
  return variant;
}

}  // namespace sextant
