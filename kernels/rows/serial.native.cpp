#include "loop.hpp"

namespace sextant {

Variant rows_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = rows::loop<float>, .float64 = rows::loop<double>};
  return variant;
}

}  // namespace sextant
