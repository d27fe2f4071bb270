#include "loop.hpp"

namespace sextant {

Variant triad_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = triad::loop<float>, .float64 = triad::loop<double>};
  return variant;
}

}  // namespace sextant
