#include "../matmul/cublas.hpp"

namespace sextant {

Variant matvec_library_cublas() {
  return cublas::variant("cuBLAS gemv, no TF32",
                         {.float32 = cublas::gemv_float, .float64 = cublas::gemv_double});
}

}  // namespace sextant
