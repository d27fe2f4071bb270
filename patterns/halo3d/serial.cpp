#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(halo3d)() {
  return compiled_here({
      {.name = "baseline",
       .description = "one partition, its own neighbour: copies the rows of 26 halo regions, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(halo3d::loop)},
  });
}

}  // namespace sextant
