#include <omp.h>

#include <algorithm>

#include "lanes.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace ep;

struct Blocks {
  int block_log2 = 14;
};

// Each thread takes neighbouring blocks of pairs and keeps its own sums; the threads' sums are added in the
// order of the threads, so that the result does not depend on which thread was fast.
void launch(const Call& call) {
  const std::int64_t pairs = call.problem.extents.x;
  const std::int64_t block = std::int64_t{1} << call.tuned<Blocks>().block_log2;
  Tally total;
#pragma omp parallel
  {
    Tally mine;
#pragma omp for schedule(static) nowait
    for (std::int64_t first = 0; first < pairs; first += block)
      mine.add(tally_pairs(first, std::min(block, pairs - first)));
#pragma omp for ordered schedule(static, 1)
    for (int thread = 0; thread < omp_get_num_threads(); ++thread)
#pragma omp ordered
      total.add(mine);
  }
  total.write(call.array<double>(0), call.array<double>(1));
}

}  // namespace

Variant npb_ep_openmp_simd() {
  Variant variant;
  variant.description = "threads over blocks of pairs, each in vector lanes with its own logarithm";
  variant.tunables = tunables<Blocks>({{"block_log2", &Blocks::block_log2, {10, 12, 14, 16}}});
  variant.launch = {.float64 = launch};
  return variant;
}

}  // namespace sextant
