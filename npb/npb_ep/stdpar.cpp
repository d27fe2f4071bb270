#include "lanes.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

using namespace ep;

struct Blocks {
  int block_log2 = 14;
};

Tally sum_of(Tally a, const Tally& b) {
  a.add(b);
  return a;
}

void launch(const Call& call) {
  const std::int64_t pairs = call.problem.extents.x;
  const std::int64_t block = std::int64_t{1} << call.tuned<Blocks>().block_log2;
  Tally total;
  on_algorithm_threads([&] {
    total = std::transform_reduce(std::execution::par, Counter(0), Counter((pairs + block - 1) / block),
                                  Tally{}, sum_of, [=](std::int64_t index) {
                                    return tally_pairs(index * block, std::min(block, pairs - index * block));
                                  });
  });
  total.write(call.array<double>(0), call.array<double>(1));
}

}  // namespace

std::vector<Variant> npb_ep_stdpar() {
  return {
      {.name = "transform_reduce",
       .description = "std::transform_reduce over blocks of pairs; SIMD lanes with a vectorised logarithm",
       .tunables = tunables<Blocks>({{"block_log2", &Blocks::block_log2, {10, 12, 14, 16}}}),
       .launch = {.float64 = launch}}};
}

}  // namespace sextant
