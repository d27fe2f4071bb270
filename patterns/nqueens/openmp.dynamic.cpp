#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Boards {
  int chunk = 16;
};

void launch(const Call& call) {
  const int chunk = call.tuned<Boards>().chunk;
#pragma omp parallel for schedule(dynamic, chunk)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) nqueens::count_one(call, i, nqueens::by_stack);
}

}  // namespace

Variant nqueens_openmp_dynamic() {
  Variant variant;
  variant.description = "threads over boards, taken as they become free";
  variant.launch.int32 = launch;
  variant.tunables = tunables<Boards>({{"chunk", &Boards::chunk, {1, 16, 256}}});
  return variant;
}

}  // namespace sextant
