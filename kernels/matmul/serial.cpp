#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(matmul)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2: the study's baseline",
       .launch = SEXTANT_FLOAT_DOUBLE(matmul::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(matmul::loop)},
  });
}

}  // namespace sextant
