#include "cusparse.hpp"

namespace sextant {

Variant spmv_library_cusparse() {
  return spmv::cusparse_variant<CUSPARSE_SPMV_CSR_ALG1>(
      "cuSPARSE SpMV, the default algorithm for compressed rows");
}

}  // namespace sextant
