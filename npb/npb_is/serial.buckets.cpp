#include "buckets.hpp"

namespace sextant {
namespace {

using namespace npb_is;

void launch(const Call& call) {
  auto& state = *static_cast<BucketState*>(call.state);
  rank_all(call, state.key.get(), [&](const std::int32_t*, std::uint32_t* c) {
    call.phase("part");
    count_part(state, 0);
    place_runs(state);
    scatter_part(state, 0);
    call.phase("count");
    for (std::int64_t b = 0; b < state.buckets; ++b) count_bucket(state, b, c);
    call.phase("");
  });
}

}  // namespace

Variant npb_is_serial_buckets() {
  Variant variant = bucket_variant(
      "the benchmark's method: keys parted by their highest bits, then counted bucket by bucket");
  variant.launch.int32 = launch;
  variant.prepare = [](const Call& call, void** state) {
    return make_buckets(call, call.tuned<Buckets>(), 1, state);
  };
  variant.workspace = [](const Problem& problem, const int* tuning) {
    return bucket_bytes(problem, values_of<Buckets>(tuning), 1);
  };
  return variant;
}

}  // namespace sextant
