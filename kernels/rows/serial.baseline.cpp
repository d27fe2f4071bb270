#include "loop.hpp"

namespace sextant {

Variant rows_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = rows::loop<float>, .float64 = rows::loop<double>};
  return variant;
}

}  // namespace sextant
