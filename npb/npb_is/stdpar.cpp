#include "buckets.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

using namespace npb_is;

std::int64_t part_count() { return omp_get_max_threads(); }

void launch(const Call& call) {
  auto& state = *static_cast<BucketState*>(call.state);
  rank_all(call, state.key.get(), [&](const std::int32_t*, std::uint32_t* c) {
    for_each_index(0, state.parts, [&](std::int64_t part) { count_part(state, part); });
    place_runs(state);
    for_each_index(0, state.parts, [&](std::int64_t part) { scatter_part(state, part); });
    for_each_index(0, state.buckets, [&](std::int64_t b) { count_bucket(state, b, c); });
  });
}

}  // namespace

std::vector<Variant> npb_is_stdpar() {
  Variant variant =
      bucket_variant("std::for_each over chunks of keys, partitioned into buckets; then over the buckets");
  variant.name = "buckets";
  variant.launch.int32 = launch;
  variant.prepare = [](const Call& call, void** state) {
    return make_buckets(call, call.tuned<Buckets>(), part_count(), state);
  };
  variant.workspace = [](const Problem& problem, const int* tuning) {
    return bucket_bytes(problem, values_of<Buckets>(tuning), part_count());
  };
  return {variant};
}

}  // namespace sextant
