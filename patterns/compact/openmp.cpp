#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "keep.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/past_caches.hpp"

// Counts of kept elements per thread, from which each thread computes its output offset.
namespace sextant::compact {

// A variant's state: one count per thread, each in its own cache line.
class Counts {
 public:
  static const char* prepare(const Call&, void** state) {
    *state = new Counts;
    return nullptr;
  }
  static void release(void* state) { delete static_cast<Counts*>(state); }

  int threads() const { return static_cast<int>(counts_.size()); }
  std::int64_t& of(std::int64_t thread) { return counts_[static_cast<std::size_t>(thread)].count; }
  std::int64_t before(std::int64_t thread) const {
    std::int64_t sum = 0;
    for (std::int64_t t = 0; t < thread; ++t) sum += counts_[static_cast<std::size_t>(t)].count;
    return sum;
  }

 private:
  struct alignas(64) Line {
    std::int64_t count = 0;
  };
  std::vector<Line> counts_{static_cast<std::size_t>(omp_get_max_threads())};
};

}  // namespace sextant::compact

namespace sextant {
namespace {

// In each round every thread writes the kept elements of one chunk, which is in its cache, and counts those
// of its next chunk. Memory is read once, and reads overlap with writes.
namespace rounds {

struct Pieces {
  int chunk_kib = 256, streaming_stores = 1;
};

// Two sets of counts: those of the current round and those of the next one.
struct Turns {
  compact::Counts counts[2];

  static const char* prepare(const Call&, void** state) {
    *state = new Turns;
    return nullptr;
  }
  static void release(void* state) { delete static_cast<Turns*>(state); }
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto how = call.tuned<Pieces>();
  const std::int64_t piece = how.chunk_kib * std::int64_t{1024} / static_cast<std::int64_t>(sizeof(T));
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  auto& turns = static_cast<Turns*>(call.state)->counts;
#pragma omp parallel num_threads(turns[0].threads())
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num(), step = threads * piece;
    std::int64_t begin = std::min(n, thread * piece), end = std::min(n, begin + piece);
    turns[0].of(thread) = compact::count_kept(end - begin, a + begin);
    // Number of elements kept in all earlier rounds. Each thread has its own copy.
    std::int64_t rounds_before = 0;
    int turn = 0;
    for (std::int64_t round = 0; round < n; round += step) {
#pragma omp barrier
      const std::int64_t next = std::min(n, begin + step), next_end = std::min(n, end + step);
      std::int64_t kept = 0;
      const auto count_next = [&](std::int64_t i) {
        const std::int64_t from = std::min(next_end, next + i),
                           to = std::min(next_end, from + compact::stretch);
        kept += compact::count_kept(to - from, a + from);
      };
      T* to = y + rounds_before + turns[turn].before(thread);
      if (how.streaming_stores)
        compact::keep_all_past_caches<T, compact::keep<T>>(end - begin, a + begin, to, count_next);
      else
        compact::keep_all<T, compact::keep<T>>(end - begin, a + begin, to, count_next);
      rounds_before += turns[turn].before(threads);
      turn = 1 - turn;
      turns[turn].of(thread) = kept;
      begin = next;
      end = next_end;
    }
    if (thread == 0) *call.array<std::int32_t>(2) = static_cast<std::int32_t>(rounds_before);
  }
}

}  // namespace rounds

// Reads the input twice: each thread counts the kept elements of its slice, then writes them after those of
// earlier threads.
namespace two_pass {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  auto& counts = *static_cast<compact::Counts*>(call.state);
#pragma omp parallel num_threads(counts.threads())
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto begin_of = [=](std::int64_t t) { return n / threads * t + n % threads * t / threads; };
    const std::int64_t begin = begin_of(thread), count = begin_of(thread + 1) - begin;
    counts.of(thread) = compact::count_kept(count, a + begin);
#pragma omp barrier
    const std::int64_t before = counts.before(thread);
    compact::keep_all<T, compact::keep<T>>(count, a + begin, y + before);
    if (thread == threads - 1)
      *call.array<std::int32_t>(2) = static_cast<std::int32_t>(before + counts.of(thread));
  }
}

}  // namespace two_pass

}  // namespace

std::vector<Variant> compact_openmp() {
  return {
      {.name = "rounds",
       .description =
           "one read: each thread writes a cached chunk and counts its next one; stores of large arrays "
           "bypass the caches",
       .tunables =
           tunables<rounds::Pieces>({{"chunk_kib", &rounds::Pieces::chunk_kib, {16, 64, 256, 1024}},
                                     {"streaming_stores", &rounds::Pieces::streaming_stores, {0, 1}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(rounds::launch),
       .adapt = by_name<adapt_past_shared_cache<rounds::Pieces>>,
       .prepare = rounds::Turns::prepare,
       .release = rounds::Turns::release,
       .for_large_arrays = true},
      {.name = "two_pass",
       .description = "two reads: each thread counts the kept elements of its slice, then writes them",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(two_pass::launch),
       .prepare = compact::Counts::prepare,
       .release = compact::Counts::release},
  };
}

}  // namespace sextant
