#include "loop.hpp"

namespace sextant {

Variant stride_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = stride::loop<float>, .float64 = stride::loop<double>};
  return variant;
}

}  // namespace sextant
