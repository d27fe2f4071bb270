#include "loop.hpp"

namespace sextant {

Variant reduction_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = reduction::loop<float>, .float64 = reduction::loop<double>};
  return variant;
}

}  // namespace sextant
