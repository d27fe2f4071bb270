#include "direct.cuh"

namespace sextant {

Variant heat3d_cuda_base() {
  return heat3d::direct_variant<false>(
      "the paper's base: one point a thread, every operand read from global memory");
}

}  // namespace sextant
