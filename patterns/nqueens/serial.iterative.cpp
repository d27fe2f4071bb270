#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) nqueens::count_one(call, i, nqueens::by_stack);
}

}  // namespace

Variant nqueens_serial_iterative() {
  Variant variant;
  variant.description = "rows that have columns left wait on a stack";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
