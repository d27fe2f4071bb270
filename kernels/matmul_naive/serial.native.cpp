#include "loop.hpp"

namespace sextant {

Variant matmul_naive_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = matmul_naive::loop<float>, .float64 = matmul_naive::loop<double>};
  return variant;
}

}  // namespace sextant
