// The form that one would write first: target teams distribute parallel for over batches.
#include "target.hpp"

namespace sextant {
namespace {

using namespace ep;

void tally_batches(std::int64_t pairs, std::int64_t batches, int batch_log2, double* partials) {
  const std::int64_t count = partial_values * batches;
#pragma omp target teams distribute parallel for map(from : partials [0:count])
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

Variant npb_ep_target_parallel_for() {
  Variant variant = batches_variant("target teams distribute parallel for over batches, library logarithm");
  variant.launch = {.float64 = launch};
  return variant;
}

}  // namespace sextant
