#include "loop.hpp"

namespace sextant {

Variant copy_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = copy::loop<float>, .float64 = copy::loop<double>};
  return variant;
}

}  // namespace sextant
