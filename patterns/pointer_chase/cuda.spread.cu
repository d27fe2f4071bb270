// Few chains a warp, one warp a block: their reads do not queue behind each other's in one multiprocessor.
#include "chase.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lanes = Choices<1, 2, 4, 8, 16>;

struct Warp {
  int chains_per_warp = 1;
};

void launch(const Call& call) {
  Lanes::with(call.tuned<Warp>().chains_per_warp,
              [&]<int lanes>() { pointer_chase::launch_lanes<lanes>(call, 32); });
}

// As few as leave all warps room at once: 32 on each of 132 multiprocessors.
void adapt(const Problem& problem, Warp& warp) {
  for (const int lanes : {1, 2, 4, 8, 16}) {
    warp.chains_per_warp = lanes;
    if (pointer_chase::chains_of(problem) <= std::int64_t{132} * 32 * lanes) return;
  }
}

}  // namespace

Variant pointer_chase_cuda_spread() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "few chains a warp, one warp a block, over all multiprocessors";
  variant.tunables = tunables<Warp>({{"chains_per_warp", &Warp::chains_per_warp, Lanes::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
