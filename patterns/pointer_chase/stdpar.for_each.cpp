#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for_each_index(0, pointer_chase::chains_of(call.problem),
                 [&](std::int64_t c) { pointer_chase::walk<std::int32_t>(call, c); });
}

}  // namespace

Variant pointer_chase_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over chains";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
