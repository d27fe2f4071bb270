// In each round every thread counts and writes a piece that its core's cache keeps, so that memory is read once.
#include "counts.hpp"
#include "keep.hpp"
#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

struct Pieces {
  int piece_kib = 256, past_caches = 1;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto how = call.tuned<Pieces>();
  const std::int64_t piece = how.piece_kib * std::int64_t{1024} / static_cast<std::int64_t>(sizeof(T));
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  auto& counts = *static_cast<compact::Counts*>(call.state);
#pragma omp parallel num_threads(counts.threads())
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    std::int64_t rounds_before = 0;  // kept in all rounds before; every thread counts for itself
    for (std::int64_t round = 0; round < n; round += threads * piece) {
      const std::int64_t begin = std::min(n, round + thread * piece), count = std::min(piece, n - begin);
      counts.of(thread) = compact::count_kept(count, a + begin);
#pragma omp barrier
      T* to = y + rounds_before + counts.before(thread);
      if (how.past_caches)
        compact::keep_all_past_caches<T, compact::keep<T>>(count, a + begin, to);
      else
        compact::keep_all<T, compact::keep<T>>(count, a + begin, to);
      rounds_before += counts.before(threads);
#pragma omp barrier
    }
    if (thread == 0) *call.array<std::int32_t>(2) = static_cast<std::int32_t>(rounds_before);
  }
}

}  // namespace

Variant compact_openmp_rounds() {
  Variant variant;
  variant.description =
      "counts and writes a piece a thread that fits its cache, round after round: reads memory once, and stores past the "
      "caches where arrays are larger than half of what cores share";
  variant.tunables = tunables<Pieces>({{"piece_kib", &Pieces::piece_kib, {16, 64, 256, 1024}},
                                       {"past_caches", &Pieces::past_caches, {0, 1}}});
  variant.adapt = by_name<adapt_past_shared_cache<Pieces>>;
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.prepare = compact::Counts::prepare;
  variant.release = compact::Counts::release;
  return variant;
}

}  // namespace sextant
