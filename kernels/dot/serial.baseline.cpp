#include "loop.hpp"

namespace sextant {

Variant dot_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = dot::loop<float>, .float64 = dot::loop<double>};
  return variant;
}

}  // namespace sextant
