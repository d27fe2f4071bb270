#include "loop.hpp"

namespace sextant {

Variant gemm_batched_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(gemm_batched::loop);
  return variant;
}

}  // namespace sextant
