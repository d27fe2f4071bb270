#include "loop.hpp"

namespace sextant {

Variant dot_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = dot::loop<float>, .float64 = dot::loop<double>};
  return variant;
}

}  // namespace sextant
