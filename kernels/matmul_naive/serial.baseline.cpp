#include "loop.hpp"

namespace sextant {

Variant matmul_naive_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = SEXTANT_FLOAT_DOUBLE(matmul_naive::loop);
  return variant;
}

}  // namespace sextant
