#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) nqueens::count_one(call, i, nqueens::by_stack);
}

}  // namespace

Variant nqueens_openmp_static() {
  Variant variant;
  variant.description = "threads over boards, each as many";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
