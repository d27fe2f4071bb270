#include "../matmul/openblas.hpp"

namespace sextant {

Variant matmul_naive_library_openblas() {
  Variant variant;
  variant.description = "gemm of OpenBLAS, its own threads";
  variant.launch = {.float32 = matmul::multiply_openblas<float>,
                    .float64 = matmul::multiply_openblas<double>};
  return variant;
}

}  // namespace sextant
