#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(all_reduce)() {
  return compiled_here({
      {.name = "baseline",
       .description = "one part by itself, which has the sum already: a copy, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(all_reduce::loop)},
  });
}

}  // namespace sextant
