#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(mesh)() {
  return compiled_here({
      {.name = "baseline", .description = "the plain loop, -O2", .launch = SEXTANT_FLOAT_DOUBLE(mesh::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(mesh::loop)},
  });
}

}  // namespace sextant
