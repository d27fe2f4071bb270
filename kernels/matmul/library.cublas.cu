#include "cublas.hpp"

namespace sextant {

Variant matmul_library_cublas() {
  return cublas::variant("cuBLAS gemm, no TF32",
                         {.float32 = cublas::gemm_float, .float64 = cublas::gemm_double});
}

}  // namespace sextant
