#include "loop.hpp"

namespace sextant {

Variant reduction_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = reduction::loop<float>, .float64 = reduction::loop<double>};
  return variant;
}

}  // namespace sextant
