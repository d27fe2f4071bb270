#include <omp.h>

#include <memory>

#include "host_state.hpp"

namespace sextant {
namespace {

using namespace npb_is;

struct State {
  std::int64_t threads = 0;
  HostKeys keys;
  HostMemory<std::uint32_t> tables;  // one a thread
};

// By thread `me` of `team`: a table each, then each a stretch of the values over all tables; one thread adds them up.
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

}  // namespace

Variant npb_is_openmp_loops() {
  Variant variant;
  variant.description =
      "the plain loops with threads: a table of all values each, added up; one thread's running sum";
  variant.launch.int32 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return key_bytes(problem) + omp_get_max_threads() * value_count(problem) * 4;
  };
  return variant;
}

}  // namespace sextant
