#include "packed.hpp"

namespace sextant {

Variant matmul_openmp_blocked() {
  Variant variant;
  variant.description =
      "packed operands, tiles of C shared among the threads, C's innermost block in registers";
  variant.tunables = matmul::packed_tunables();
  variant.prepare = matmul::prepare_packed;
  variant.release = matmul::release_packed;
  variant.launch = {.float32 = matmul::multiply_packed<float>, .float64 = matmul::multiply_packed<double>};
  return variant;
}

}  // namespace sextant
