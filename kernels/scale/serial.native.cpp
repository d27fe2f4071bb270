#include "loop.hpp"

namespace sextant {

Variant scale_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = scale::loop<float>, .float64 = scale::loop<double>};
  return variant;
}

}  // namespace sextant
