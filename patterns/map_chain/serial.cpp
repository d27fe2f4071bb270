#include "blocked.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace blocked {

template <typename T>
void launch(const Call& call) {
  const std::int64_t blocks = map_chain::blocks_of(call.problem, call.tuned<map_chain::Block>().block);
  for (std::int64_t index = 0; index < blocks; ++index) map_chain::do_block<T>(call, index);
}

Variant form() {
  Variant variant = map_chain::blocked_variant("all maps on a block of elements before the next one");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace blocked

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(map_chain)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loops, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(map_chain::loop)},
      named("blocked", blocked::form()),
      {.name = "native",
       .description = "the plain loops, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(map_chain::loop)},
  });
}

}  // namespace sextant
