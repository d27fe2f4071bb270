// The paper's CSL: base with every read through the read-only path (__ldg, ld.global.nc), the texture cache of
// older GPUs. Where that and the first-level cache are one memory, as on GPUs since Pascal, it should cost what
// base costs; base itself keeps off that path, so that the two can be compared.
#include "direct.cuh"

namespace sextant {

Variant heat3d_cuda_ldg() {
  return heat3d::direct_variant<true>(
      "the paper's CSL: base with every read through the read-only cache, __ldg");
}

}  // namespace sextant
