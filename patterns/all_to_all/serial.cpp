#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(all_to_all)() {
  return compiled_here({
      {.name = "baseline",
       .description = "one partition: its only block is copied, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(all_to_all::loop)},
  });
}

}  // namespace sextant
