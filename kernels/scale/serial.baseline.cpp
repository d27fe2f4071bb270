#include "loop.hpp"

namespace sextant {

Variant scale_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = scale::loop<float>, .float64 = scale::loop<double>};
  return variant;
}

}  // namespace sextant
