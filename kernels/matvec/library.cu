#include "toolbox/cuda/cublas.hpp"

namespace sextant {

std::vector<Variant> matvec_library_cu() {
  return {named("cublas", cublas::variant("cuBLAS gemv, no TF32", SEXTANT_FLOAT_DOUBLE(cublas::gemv)))};
}

}  // namespace sextant
