#include "loop.hpp"

namespace sextant {

Variant copy_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = copy::loop<float>, .float64 = copy::loop<double>};
  return variant;
}

}  // namespace sextant
