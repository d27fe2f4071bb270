#include "toolbox/cuda/cublas.hpp"

namespace sextant {

Variant matmul_library_cublas() {
  return cublas::variant("cuBLAS gemm, no TF32", SEXTANT_FLOAT_DOUBLE(cublas::gemm));
}

std::vector<Variant> matmul_library_cu() { return {named("cublas", matmul_library_cublas())}; }

}  // namespace sextant
