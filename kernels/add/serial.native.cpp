#include "loop.hpp"

namespace sextant {

Variant add_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = add::loop<float>, .float64 = add::loop<double>};
  return variant;
}

}  // namespace sextant
