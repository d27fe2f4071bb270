#include "loop.hpp"

namespace sextant {

Variant matmul_naive_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(matmul_naive::loop);
  return variant;
}

}  // namespace sextant
