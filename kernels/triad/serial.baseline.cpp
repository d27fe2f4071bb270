#include "loop.hpp"

namespace sextant {

Variant triad_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = triad::loop<float>, .float64 = triad::loop<double>};
  return variant;
}

}  // namespace sextant
