#include "loop.hpp"

namespace sextant {

Variant matmul_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = matmul::loop<float>, .float64 = matmul::loop<double>};
  return variant;
}

}  // namespace sextant
