#include "crew.cuh"

namespace sextant {

Variant nqueens_cuda_steal() {
  return nqueens::crew_variant<true>(
      "as queue; when no board is left, lanes take rows from others of their warp");
}

}  // namespace sextant
