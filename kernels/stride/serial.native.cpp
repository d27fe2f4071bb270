#include "loop.hpp"

namespace sextant {

Variant stride_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = stride::loop<float>, .float64 = stride::loop<double>};
  return variant;
}

}  // namespace sextant
