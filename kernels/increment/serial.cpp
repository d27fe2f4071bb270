#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(increment)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loops, -O2: the study's baseline",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(increment::loop)},
      {.name = "native",
       .description = "the plain loops, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(increment::loop)},
  });
}

}  // namespace sextant
