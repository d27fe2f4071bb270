#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for_each_index(0, call.problem.extents.x,
                 [&](std::int64_t i) { nqueens::count_one(call, i, nqueens::by_stack); });
}

}  // namespace

std::vector<Variant> nqueens_stdpar() {
  return {{.name = "for_each", .description = "std::for_each over boards", .launch = {.int32 = launch}}};
}

}  // namespace sextant
