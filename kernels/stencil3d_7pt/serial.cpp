#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(stencil3d_7pt)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2: the study's baseline",
       .launch = SEXTANT_FLOAT_DOUBLE(stencil3d_7pt::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(stencil3d_7pt::loop)},
  });
}

}  // namespace sextant
