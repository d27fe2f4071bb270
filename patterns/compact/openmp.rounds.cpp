// sizes: large
// In each round every thread writes a piece that its core's cache keeps and counts the one after it, so that memory is read once, and read and
// written at the same time.
#include "counts.hpp"
#include "keep.hpp"
#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

struct Pieces {
  int piece_kib = 256, past_caches = 1;
};

// The counts of a round's pieces, and of the next one's.
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
  const std::int64_t piece = how.piece_kib * std::int64_t{1024} / static_cast<std::int64_t>(sizeof(T));
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  auto& turns = static_cast<Turns*>(call.state)->counts;
#pragma omp parallel num_threads(turns[0].threads())
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num(), step = threads * piece;
    std::int64_t begin = std::min(n, thread * piece), end = std::min(n, begin + piece);
    turns[0].of(thread) = compact::count_kept(end - begin, a + begin);
    std::int64_t rounds_before = 0;  // kept in all rounds before; every thread counts for itself
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
      if (how.past_caches)
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

}  // namespace

Variant compact_openmp_rounds() {
  Variant variant;
  variant.description =
      "writes a piece a thread that fits its cache and counts the next one, round after round: reads memory once, and stores past "
      "the caches where arrays are larger than half of what cores share";
  variant.tunables = tunables<Pieces>({{"piece_kib", &Pieces::piece_kib, {16, 64, 256, 1024}},
                                       {"past_caches", &Pieces::past_caches, {0, 1}}});
  variant.adapt = by_name<adapt_past_shared_cache<Pieces>>;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.prepare = Turns::prepare;
  variant.release = Turns::release;
  return variant;
}

}  // namespace sextant
