// The paper's BASE, the loop as it stands: one point a thread, which reads its 6R + 1 operands from global memory.
// Nothing is kept from one point to the next and nobody waits; the caches answer most of the reads, as threads
// beside ask for the same lines. A launch a step. What it costs is the loads: 6R + 1 a point, and a second-level
// cache that delivers 4.5 (R = 1) to 11.4 (R = 4) times the array (docs/heat-stencil.md).
#include "direct.cuh"

namespace sextant {

Variant heat3d_cuda_base() {
  return heat3d::direct_variant<false>(
      "the paper's base: one point a thread, every operand read from global memory");
}

}  // namespace sextant
