#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for_each_index(0, pointer_chase::chains_of(call.problem),
                 [&](std::int64_t c) { pointer_chase::walk<std::int32_t>(call, c); });
}

}  // namespace

std::vector<Variant> pointer_chase_stdpar() {
  return {{.name = "for_each", .description = "std::for_each over chains", .launch = {.int32 = launch}}};
}

}  // namespace sextant
