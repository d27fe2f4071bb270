#include "cusparse.hpp"

namespace sextant {

Variant spmv_library_cusparse_deterministic() {
  return spmv::cusparse_variant<CUSPARSE_SPMV_CSR_ALG2>(
      "cuSPARSE SpMV, the algorithm whose order of additions is fixed");
}

}  // namespace sextant
