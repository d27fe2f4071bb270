#include <omp.h>

#include <vector>

#include "loop.hpp"

namespace sextant {
namespace {

constexpr int tables = 8, per_line = 16,
              ahead = 512;             // keys of a line of memory, and how far ahead one is asked for
constexpr std::int64_t piece = 16384;  // keys that a thread takes

struct alignas(64) Tables {
  std::int32_t of[tables][histogram::few_bins];
};

// Equal keys in a row, and a table that was just added to, do not wait for each other.
void count_keys(const std::int32_t* k, std::int64_t count, Tables& mine) {
  std::int64_t i = 0;
  for (; i + per_line <= count; i += per_line) {
    __builtin_prefetch(k + i + ahead);
#pragma GCC unroll 16
    for (int e = 0; e < per_line; ++e) ++mine.of[e % tables][k[i + e]];
  }
  for (; i < count; ++i) ++mine.of[0][k[i]];
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  auto& all = *static_cast<std::vector<std::int32_t>*>(call.state);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
#pragma omp parallel num_threads(static_cast <int>(all.size() / histogram::few_bins))
  {
    Tables mine = {};
#pragma omp for schedule(dynamic) nowait
    for (std::int64_t first = 0; first < n; first += piece)
      count_keys(k + first, std::min(piece, n - first), mine);
    const std::int64_t threads = omp_get_num_threads();
    std::int32_t* sums = all.data() + omp_get_thread_num() * histogram::few_bins;
    for (std::int64_t b = 0; b < bins; ++b) {
      sums[b] = 0;
      for (int t = 0; t < tables; ++t) sums[b] += mine.of[t][b];
    }
#pragma omp barrier
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < bins; ++b) {
      std::int32_t sum = 0;
      for (std::int64_t t = 0; t < threads; ++t)
        sum += all[static_cast<std::size_t>(t * histogram::few_bins + b)];
      c[b] = sum;
    }
  }
}

}  // namespace

Variant histogram_openmp_tables() {
  Variant variant;
  variant.description = "eight tables a thread in turns, added up in the end";
  variant.launch.int32 = launch;
  variant.constraint = histogram::refuse_many_bins;
  variant.prepare = [](const Call&, void** state) -> const char* {
    *state =
        new std::vector<std::int32_t>(static_cast<std::size_t>(omp_get_max_threads() * histogram::few_bins));
    return nullptr;
  };
  variant.release = [](void* state) { delete static_cast<std::vector<std::int32_t>*>(state); };
  return variant;
}

}  // namespace sextant
