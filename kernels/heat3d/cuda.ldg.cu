#include "direct.cuh"

namespace sextant {

Variant heat3d_cuda_ldg() {
  return heat3d::direct_variant<true>(
      "the paper's CSL: base with every read through the read-only cache, __ldg");
}

}  // namespace sextant
