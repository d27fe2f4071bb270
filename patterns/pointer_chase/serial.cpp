#include "interleaved.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace interleaved {

void launch(const Call& call) { pointer_chase::walk_groups(call, 0, pointer_chase::chains_of(call.problem)); }

Variant form() {
  Variant variant =
      pointer_chase::interleaved_variant("several chains at a time, so that their loads overlap");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace interleaved

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(pointer_chase)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = {.int32 = pointer_chase::loop<std::int32_t>}},
      named("interleaved", interleaved::form()),
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = {.int32 = pointer_chase::loop<std::int32_t>}},
  });
}

}  // namespace sextant
