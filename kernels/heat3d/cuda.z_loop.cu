#include "z_loop.cuh"

namespace sextant {

Variant heat3d_cuda_z_loop() {
  return heat3d::walk_variant<false>("a thread walks along z, every operand read from global memory");
}

}  // namespace sextant
