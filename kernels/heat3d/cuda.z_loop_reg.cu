#include "z_loop.cuh"

namespace sextant {

Variant heat3d_cuda_z_loop_reg() {
  return heat3d::walk_variant<true>("a thread walks along z, neighbours along z in a queue of registers");
}

}  // namespace sextant
