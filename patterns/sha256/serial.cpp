#include "lanes.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace lanes {

void launch(const Call& call) {
  for (std::int64_t group = 0; group < sha256::groups_of(call.problem); ++group)
    sha256::digest_group(call, group);
}

}  // namespace lanes

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(sha256)() {
  return compiled_here({
      {.name = "baseline", .description = "the plain loop, -O2", .launch = {.int32 = sha256::loop}},
      {.name = "lanes",
       .description = "one message per SIMD lane, rounds unrolled",
       .launch = {.int32 = lanes::launch}},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = {.int32 = sha256::loop}},
  });
}

}  // namespace sextant
