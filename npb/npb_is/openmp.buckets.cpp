#include <omp.h>

#include "buckets.hpp"

namespace sextant {
namespace {

using namespace npb_is;

// There are as many parts as there were threads when they were made; fewer threads take several each.
void launch(const Call& call) {
  auto& state = *static_cast<BucketState*>(call.state);
  rank_all(call, state.key.get(), [&](const std::int32_t*, std::uint32_t* c) {
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (std::int64_t part = 0; part < state.parts; ++part) count_part(state, part);
#pragma omp single
      place_runs(state);
#pragma omp for schedule(static)
      for (std::int64_t part = 0; part < state.parts; ++part) scatter_part(state, part);
#pragma omp for schedule(dynamic, 4)
      for (std::int64_t b = 0; b < state.buckets; ++b) count_bucket(state, b, c);
    }
  });
}

}  // namespace

Variant npb_is_openmp_buckets() {
  Variant variant = bucket_variant(
      "threads part keys by their highest bits, each into runs of its own; then count bucket by bucket");
  variant.launch.int32 = launch;
  variant.prepare = [](const Call& call, void** state) {
    return make_buckets(call, call.tuned<Buckets>(), omp_get_max_threads(), state);
  };
  variant.workspace = [](const Problem& problem, const int* tuning) {
    return bucket_bytes(problem, values_of<Buckets>(tuning), omp_get_max_threads());
  };
  return variant;
}

}  // namespace sextant
