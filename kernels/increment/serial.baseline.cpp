#include "loop.hpp"

namespace sextant {

Variant increment_serial_baseline() {
  Variant variant;
  variant.description = "the plain loops, -O2: the study's baseline";
  variant.launch = {.float32 = increment::loop<float>,
                    .float64 = increment::loop<double>,
                    .int32 = increment::loop<std::int32_t>};
  return variant;
}

}  // namespace sextant
