#include "loop.hpp"

namespace sextant {

Variant gemm_batched_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(gemm_batched::loop);
  return variant;
}

}  // namespace sextant
