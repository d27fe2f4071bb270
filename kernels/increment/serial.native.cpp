#include "loop.hpp"

namespace sextant {

Variant increment_serial_native() {
  Variant variant;
  variant.description = "the plain loops, -O3 for this processor";
  variant.launch = {.float32 = increment::loop<float>,
                    .float64 = increment::loop<double>,
                    .int32 = increment::loop<std::int32_t>};
  return variant;
}

}  // namespace sextant
