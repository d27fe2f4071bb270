// A thread takes a column: it walks along z through `planes` planes, one point after the other, reading all
// operands from global memory as in base. A block comes back to a plane R planes later, when the first-level
// cache may still have it, so that the second-level one delivers half to a third of what base asks of it.
// Nobody waits; the price is fewer threads, each with more to do.
#include "z_loop.cuh"

namespace sextant {

Variant heat3d_cuda_z_loop() {
  return heat3d::walk_variant<false>("a thread walks along z, every operand read from global memory");
}

}  // namespace sextant
