#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for_each_index(0, call.problem.extents.x,
                 [&](std::int64_t i) { nqueens::count_one(call, i, nqueens::by_stack); });
}

}  // namespace

Variant nqueens_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over boards";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
