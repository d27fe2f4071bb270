#include "loop.hpp"

namespace sextant {

Variant matmul_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = matmul::loop<float>, .float64 = matmul::loop<double>};
  return variant;
}

}  // namespace sextant
