#include "../matmul/cublas.hpp"

namespace sextant {

Variant matvec_library_cublas() {
  return cublas::variant("cuBLAS gemv, no TF32", SEXTANT_FLOAT_DOUBLE(cublas::gemv));
}

}  // namespace sextant
