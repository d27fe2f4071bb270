#include <omp.h>

#include <cstring>
#include <memory>

#include "buckets.hpp"
#include "counters.hpp"
#include "host_state.hpp"

namespace sextant {
namespace {

using namespace npb_is;

namespace buckets {

// `prepare` divides the keys into one part per thread. If fewer threads run, each processes several parts.
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

Variant form() {
  Variant variant = bucket_variant(
      "threads partition keys by their highest bits into buckets, then count bucket by bucket");
  variant.launch.int32 = launch;
  variant.prepare = [](const Call& call, void** state) {
    return make_buckets(call, call.tuned<Buckets>(), omp_get_max_threads(), state);
  };
  variant.workspace = [](const Problem& problem, const int* tuning) {
    return bucket_bytes(problem, values_of<Buckets>(tuning), omp_get_max_threads());
  };
  return variant;
}

}  // namespace buckets

namespace loops {

struct State {
  std::int64_t threads = 0;
  HostKeys keys;
  HostMemory<std::uint32_t> tables;  // one table of counts per thread
};

// The work of thread `me` of `team` threads. Each thread counts its keys in its own table. Then it sums a
// range of values over all tables. One thread computes the running sum.
void rank(const State& state, std::int64_t n, std::int64_t values, std::int64_t me, std::int64_t team,
          std::uint32_t* c) {
  const std::int32_t* keys = state.keys.get();
  std::uint32_t *all = state.tables.get(), *own = all + me * values;
  for (std::int64_t v = 0; v < values; ++v) own[v] = 0;
  for (std::int64_t j = n * me / team; j < n * (me + 1) / team; ++j) ++own[keys[j]];
#pragma omp barrier
  for (std::int64_t v = values * me / team; v < values * (me + 1) / team; ++v) {
    c[v] = all[v];
    for (std::int64_t t = 1; t < team; ++t) c[v] += all[t * values + v];
  }
#pragma omp barrier
  if (me == 0)
    for (std::int64_t v = 1; v < values; ++v) c[v] += c[v - 1];
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  rank_all(call, state.keys.get(), [&](const std::int32_t*, std::uint32_t* c) {
#pragma omp parallel num_threads(static_cast <int>(state.threads))
    rank(state, n, values, omp_get_thread_num(), omp_get_num_threads(), c);
  });
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  made->threads = omp_get_max_threads();
  made->keys = make_keys(call.problem);
  made->tables = allocate_host<std::uint32_t>(made->threads * value_count(call.problem));
  if (!made->keys || !made->tables) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace loops

namespace tables {

struct Ahead {
  int prefetch_distance = 32;  // number of keys by which counters are prefetched ahead; 0: no prefetch
};

void adapt(const Problem& problem, Ahead& tuned) {
  tuned.prefetch_distance = max_log2(problem) > 19 ? 32 : 0;
}

struct State {
  std::int64_t threads;
  HostKeys keys;
  HostMemory<std::uint8_t> bytes;  // one table of one-byte counters per thread
  HostMemory<std::uint32_t> sums;  // sum of each thread's range of values
};

// The work of thread `me` of `team` threads in one parallel region. Each thread counts its keys in its own
// table of one-byte counters. Then it sums a range of values over all tables. Returns false if a counter
// overflowed. With `watched`, an overflowing counter adds 256 to c, so the result is always right.
template <bool watched>
bool rank(const State& state, int ahead, std::int64_t n, std::int64_t values, std::int64_t me,
          std::int64_t team, std::uint32_t* c) {
  const std::int32_t* keys = state.keys.get();
  std::uint8_t *all = state.bytes.get(), *byte = all + me * values;
  const std::int64_t first = values * me / team, last = values * (me + 1) / team;
  const std::int64_t begin = n * me / team, end = n * (me + 1) / team;
  std::fill(c + first, c + last, 0u);
  std::memset(byte, 0, static_cast<std::size_t>(values));
#pragma omp barrier
  if constexpr (watched)
    for (std::int64_t j = begin; j < end; ++j) {
      if (++byte[keys[j]] != 0) continue;
#pragma omp atomic
      c[keys[j]] += 256;
    }
  else
    count_bytes(keys, begin, end, ahead, byte);
#pragma omp barrier
  for (std::int64_t t = 0; t < team; ++t)
    for (std::int64_t v = first; v < last; ++v) c[v] += all[t * values + v];
  std::uint32_t sum = 0;
  for (std::int64_t v = first; v < last; ++v) sum += c[v];
  state.sums[static_cast<std::size_t>(me)] = sum;
#pragma omp barrier
  std::uint32_t before = 0, counted = 0;
  for (std::int64_t t = 0; t < team; ++t) {
    if (t == me) before = counted;
    counted += state.sums[static_cast<std::size_t>(t)];
  }
  if (counted != static_cast<std::uint32_t>(n)) return false;
  for (std::int64_t v = first; v < last; ++v) c[v] = before += c[v];
  return true;
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  const int ahead = call.tuned<Ahead>().prefetch_distance;
  rank_all(call, state.keys.get(), [&](const std::int32_t*, std::uint32_t* c) {
#pragma omp parallel num_threads(static_cast <int>(state.threads))
    {
      const int me = omp_get_thread_num(), team = omp_get_num_threads();
      if (!rank<false>(state, ahead, n, values, me, team, c)) {
#pragma omp barrier
        rank<true>(state, ahead, n, values, me, team, c);
      }
    }
  });
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  made->threads = omp_get_max_threads();
  made->keys = make_keys(call.problem);
  made->bytes = allocate_host<std::uint8_t>(made->threads * value_count(call.problem));
  made->sums = allocate_host<std::uint32_t>(made->threads);
  if (!made->keys || !made->bytes || !made->sums) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace tables

}  // namespace

std::vector<Variant> npb_is_openmp() {
  return {
      named("buckets", buckets::form()),
      {.name = "loops",
       .description =
           "the plain loops with one table of counts per thread, then summed; sequential running sum",
       .launch = {.int32 = loops::launch},
       .prepare = loops::prepare,
       .release = [](void* state) { delete static_cast<loops::State*>(state); },
       .workspace =
           [](const Problem& problem, const int*) {
             return key_bytes(problem) + omp_get_max_threads() * value_count(problem) * 4;
           }},
      {.name = "tables",
       .description = "one table of one-byte counters per thread; then each thread sums a range of values",
       .tunables = tunables<tables::Ahead>(
           {{"prefetch_distance", &tables::Ahead::prefetch_distance, {0, 16, 32, 64}}}),
       .launch = {.int32 = tables::launch},
       .adapt = by_name<tables::adapt>,
       .prepare = tables::prepare,
       .release = [](void* state) { delete static_cast<tables::State*>(state); },
       .workspace =
           [](const Problem& problem, const int*) {
             return key_bytes(problem) + omp_get_max_threads() * (value_count(problem) + 4);
           }},
  };
}

}  // namespace sextant
