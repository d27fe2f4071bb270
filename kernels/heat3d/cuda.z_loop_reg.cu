// z_loop with the thread's own points z-R … z+R in a queue of registers, which moves on by one a plane: each value
// along z is loaded once and 2R loads a point are saved. Neighbours along x and y are still read from global
// memory, that is out of the first-level cache. It costs 2R + 1 registers and as many moves a point.
#include "z_loop.cuh"

namespace sextant {

Variant heat3d_cuda_z_loop_reg() {
  return heat3d::walk_variant<true>("a thread walks along z, neighbours along z in a queue of registers");
}

}  // namespace sextant
