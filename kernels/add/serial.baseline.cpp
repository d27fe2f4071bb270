#include "loop.hpp"

namespace sextant {

Variant add_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = add::loop<float>, .float64 = add::loop<double>};
  return variant;
}

}  // namespace sextant
