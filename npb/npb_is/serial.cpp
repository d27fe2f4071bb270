#include <cstring>
#include <memory>

#include "buckets.hpp"
#include "counters.hpp"
#include "host_state.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

using namespace npb_is;

namespace baseline {

void launch(const Call& call) {
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  rank_all(call, static_cast<std::int32_t*>(call.state), [=](const std::int32_t* keys, std::uint32_t* c) {
    for (std::int64_t v = 0; v < values; ++v) c[v] = 0;
    for (std::int64_t j = 0; j < n; ++j) ++c[keys[j]];
    for (std::int64_t v = 1; v < values; ++v) c[v] += c[v - 1];
  });
}

}  // namespace baseline

namespace buckets {

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

Variant form() {
  Variant variant = bucket_variant(
      "the benchmark's method: keys partitioned by their highest bits, then counted bucket by bucket");
  variant.launch.int32 = launch;
  variant.prepare = [](const Call& call, void** state) {
    return make_buckets(call, call.tuned<Buckets>(), 1, state);
  };
  variant.workspace = [](const Problem& problem, const int* tuning) {
    return bucket_bytes(problem, values_of<Buckets>(tuning), 1);
  };
  return variant;
}

}  // namespace buckets

namespace native {

struct State {
  HostKeys keys;
  HostMemory<std::uint8_t> bytes;
};

// Computes the running sum in groups of eight values. Only one addition per group depends on the previous
// group, which hides latency.
template <typename T>
void running_sum(std::int64_t values, const T* number, std::uint32_t* c) {
  constexpr int at_once = 8;
  std::uint32_t sum = 0;
  for (std::int64_t v = 0; v < values; v += at_once) {
    std::uint32_t within[at_once], all = 0;
    for (int k = 0; k < at_once; ++k) within[k] = all += number[v + k];
    for (int k = 0; k < at_once; ++k) c[v + k] = sum + within[k];
    sum += all;
  }
}

// Counts with one-byte counters and computes the running sum. Returns false if a counter overflowed.
bool rank_in_bytes(const Call& call, std::int64_t n, std::int64_t values, int ahead, const std::int32_t* keys,
                   std::uint8_t* byte, std::uint32_t* c) {
  call.phase("count");
  std::memset(byte, 0, static_cast<std::size_t>(values));
  count_bytes(keys, 0, n, ahead, byte);
  call.phase("sum");
  running_sum(values, byte, c);
  return c[values - 1] == static_cast<std::uint32_t>(n);
}

void rank_in_words(const Call& call, std::int64_t n, std::int64_t values, int ahead, const std::int32_t* keys,
                   std::uint32_t* c) {
  call.phase("count");
  std::fill(c, c + values, 0u);
  each_key(
      keys, 0, n, ahead, [=](std::uint32_t v) { __builtin_prefetch(c + v, 1); },
      [=](std::uint32_t v) { ++c[v]; });
  call.phase("sum");
  running_sum(values, c, c);
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  const auto tuned = call.tuned<Counters>();
  rank_all(call, state.keys.get(), [&](const std::int32_t* keys, std::uint32_t* c) {
    if (tuned.counter_bits != 8 ||
        !rank_in_bytes(call, n, values, tuned.prefetch_distance, keys, state.bytes.get(), c))
      rank_in_words(call, n, values, tuned.prefetch_distance, keys, c);
    call.phase("");
  });
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  made->keys = make_keys(call.problem);
  made->bytes = allocate_host<std::uint8_t>(value_count(call.problem));
  if (!made->keys || !made->bytes) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

Variant form() {
  Variant variant =
      counter_variant("a table of one-byte counters, prefetched if it is large; their sum detects overflow");
  variant.launch.int32 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return key_bytes(problem) + value_count(problem);
  };
  return variant;
}

}  // namespace native

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(npb_is)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loops: one table of counts, then its running sum, -O2",
       .launch = {.int32 = baseline::launch},
       .prepare = prepare_keys,
       .release = release_keys,
       .workspace = [](const Problem& problem, const int*) { return key_bytes(problem); }},
      named("buckets", buckets::form()),
      named("native", native::form()),
  });
}

}  // namespace sextant
