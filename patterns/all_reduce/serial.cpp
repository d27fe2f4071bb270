#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(all_reduce)() {
  return compiled_here({
      {.name = "baseline",
       .description = "one partition: the sum is its own vector, which is copied, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(all_reduce::loop)},
  });
}

}  // namespace sextant
