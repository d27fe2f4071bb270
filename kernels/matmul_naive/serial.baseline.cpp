#include "loop.hpp"

namespace sextant {

Variant matmul_naive_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {.float32 = matmul_naive::loop<float>, .float64 = matmul_naive::loop<double>};
  return variant;
}

}  // namespace sextant
