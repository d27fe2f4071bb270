#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace iterative {

void launch(const Call& call) {
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) nqueens::count_one(call, i, nqueens::by_stack);
}

}  // namespace iterative

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(nqueens)() {
  return compiled_here({
      {.name = "baseline", .description = "the plain recursion, -O2", .launch = {.int32 = nqueens::loop}},
      {.name = "iterative",
       .description = "an explicit stack of rows with free columns, instead of recursion",
       .launch = {.int32 = iterative::launch}},
      {.name = "native",
       .description = "the plain recursion, -O3 for this processor",
       .launch = {.int32 = nqueens::loop}},
  });
}

}  // namespace sextant
