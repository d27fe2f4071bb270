#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(halo3d)() {
  return compiled_here({
      {.name = "baseline",
       .description = "one part by itself, which is its own neighbour: rows of 26 pieces are copied, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(halo3d::loop)},
  });
}

}  // namespace sextant
