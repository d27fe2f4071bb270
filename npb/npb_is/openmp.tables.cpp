#include <omp.h>

#include <cstring>
#include <memory>

#include "counters.hpp"

namespace sextant {
namespace {

using namespace npb_is;

struct Ahead {
  int ahead = 32;  // keys whose counters are called into the cache; 0: none
};

void adapt(const Problem& problem, Ahead& tuned) { tuned.ahead = max_log2(problem) > 19 ? 32 : 0; }

struct State {
  std::int64_t threads;
  HostKeys keys;
  HostMemory<std::uint8_t> bytes;  // a table a thread
  HostMemory<std::uint32_t> sums;  // of each thread's stretch of the values
};

// All within one region, by thread `me` of `team`: a table each, then each a stretch of the values over all tables. False: a
// counter ran over, unless c holds what those that do leave there, 256 each.
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
  const int ahead = call.tuned<Ahead>().ahead;
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

}  // namespace

Variant npb_is_openmp_tables() {
  Variant variant;
  variant.description =
      "a table of one-byte counters a thread, then each a stretch of values over all tables";
  variant.tunables = tunables<Ahead>({{"ahead", &Ahead::ahead, {0, 16, 32, 64}}});
  variant.adapt = by_name<adapt>;
  variant.launch.int32 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return key_bytes(problem) + omp_get_max_threads() * (value_count(problem) + 4);
  };
  return variant;
}

}  // namespace sextant
