#include "cublas.hpp"

namespace sextant {

Variant matmul_library_cublas() {
  return cublas::variant("cuBLAS gemm, no TF32", SEXTANT_FLOAT_DOUBLE(cublas::gemm));
}

}  // namespace sextant
