#include "loop.hpp"

namespace sextant {

Variant matmul_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(matmul::loop);
  return variant;
}

}  // namespace sextant
