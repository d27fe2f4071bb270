// A table a thread, added up by all threads.
#include <omp.h>

#include <vector>

#include "loop.hpp"

namespace sextant {
namespace {

constexpr std::int64_t most_bins = 1 << 20;  // 4 MiB a thread

struct Tables {
  std::int64_t bins;
  std::vector<std::vector<std::int32_t>> of_thread;
};

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
  auto& tables = *static_cast<Tables*>(call.state);
  const auto most = static_cast<int>(tables.of_thread.size());
#pragma omp parallel num_threads(most)
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    std::int32_t* mine = tables.of_thread[static_cast<std::size_t>(omp_get_thread_num())].data();
    std::fill(mine, mine + tables.bins, 0);
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) ++mine[k[i]];
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < tables.bins; ++b) {
      std::int32_t sum = 0;
      for (std::size_t t = 0; t < threads; ++t) sum += tables.of_thread[t][static_cast<std::size_t>(b)];
      c[b] = sum;
    }
  }
}

const char* refuse(const Problem& problem, const int*) {
  return histogram::bins_of(problem) > most_bins ? "a table of more than 4 MiB a thread" : nullptr;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bins = histogram::bins_of(call.problem);
  auto* tables = new Tables{bins, {}};
  tables->of_thread.resize(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
  tables->of_thread[static_cast<std::size_t>(omp_get_thread_num())].resize(static_cast<std::size_t>(bins));
  for (auto& table : tables->of_thread) table.resize(static_cast<std::size_t>(bins));
  *state = tables;
  return nullptr;
}

}  // namespace

Variant histogram_openmp_private() {
  Variant variant;
  variant.description = "a table a thread, added up in the end";
  variant.launch.int32 = launch;
  variant.constraint = refuse;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Tables*>(state); };
  return variant;
}

}  // namespace sextant
