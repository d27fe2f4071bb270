// No `parallel`: teams of one thread, whose lanes take a batch each.
#include "target.hpp"

namespace sextant {
namespace {

using namespace ep;

void tally_batches(std::int64_t pairs, std::int64_t batches, int batch_log2, double* partials) {
  const std::int64_t count = partial_values * batches;
  const int teams = target::teams_for(8448, batches, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(partials [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t batch = 0; batch < batches; ++batch)
    tally_batch(pairs, batches, batch_log2, batch, partials);
}

void launch(const Call& call) {
  const auto tuned = call.tuned<Batches>();
  const std::int64_t batches = batches_of(call.problem, tuned);
  double* partials = static_cast<const Partials*>(call.state)->data;
  call.phase("pairs");
  tally_batches(call.problem.extents.x, batches, tuned.batch_log2, partials);
  call.phase("sums");
  add_partials(batches, partials, call.array<double>(0), call.array<double>(1));
  call.phase("");
}

}  // namespace

Variant npb_ep_target_teams_simd() {
  Variant variant =
      batches_variant("teams distribute simd: a batch a lane of teams of one thread, library logarithm");
  variant.launch = {.float64 = launch};
  return variant;
}

}  // namespace sextant
