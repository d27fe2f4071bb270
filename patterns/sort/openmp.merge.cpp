// Each thread sorts its share; then pairs of neighbouring runs are merged, all threads at each round: a thread makes a share
// of the result, and finds by bisection where that begins in either run.
#include <omp.h>

#include "loop.hpp"

namespace sextant {
namespace {

// How many of the first k of the merged a and b come from a; of equal ones those of a come first.
template <typename Item>
std::int64_t share_of_first(const Item* a, std::int64_t count_a, const Item* b, std::int64_t count_b,
                            std::int64_t k) {
  std::int64_t low = std::max<std::int64_t>(0, k - count_b), high = std::min(k, count_a);
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (b[k - 1 - middle] < a[middle])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// to[begin … end) of the merged runs, of which the first begins at `first`, the second at `middle` and ends at `last`.
template <typename Item>
void merge_share(const Item* from, Item* to, std::int64_t first, std::int64_t middle, std::int64_t last,
                 std::int64_t begin, std::int64_t end) {
  const Item *a = from + first, *b = from + middle;
  const std::int64_t count_a = middle - first, count_b = last - middle;
  const std::int64_t k = begin - first, l = end - first;
  const std::int64_t i = share_of_first(a, count_a, b, count_b, k);
  const std::int64_t j = share_of_first(a, count_a, b, count_b, l);
  std::merge(a + i, a + j, b + (k - i), b + (l - j), to + begin);
}

// From `threads` sorted runs to one, by all threads, in turns from items to other and back.
template <typename Item>
void merge_runs(std::int64_t n, Item* items, Item* other, std::int64_t threads, std::int64_t thread) {
  const auto begin_of = [=](std::int64_t run) { return std::min(run, threads) * n / threads; };
  for (std::int64_t runs = 1; runs < threads; runs *= 2, std::swap(items, other)) {
    for (std::int64_t run = 0; run < threads; run += 2 * runs) {
      const std::int64_t first = begin_of(run), middle = begin_of(run + runs),
                         last = begin_of(run + 2 * runs);
      const std::int64_t begin = std::clamp(begin_of(thread), first, last);
      const std::int64_t end = std::clamp(begin_of(thread + 1), first, last);
      if (begin < end) merge_share(items, other, first, middle, last, begin, end);
    }
#pragma omp barrier
  }
}

template <typename T>
void launch(const Call& call) {
  sort::sort_items<T>(call, [](auto* begin, auto* end, auto* other) {
    const std::int64_t n = end - begin;
#pragma omp parallel
    {
      const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
      bool odd = false;  // rounds; the first reads what the last but one wrote to
      for (std::int64_t runs = 1; runs < threads; runs *= 2) odd = !odd;
      const std::int64_t from = thread * n / threads, to = (thread + 1) * n / threads;
      if (odd) std::copy(begin + from, begin + to, other + from);
      auto *items = odd ? other : begin, *turn = odd ? begin : other;
      std::sort(items + from, items + to);
#pragma omp barrier
      merge_runs(n, items, turn, threads, thread);
    }
  });
}

}  // namespace

Variant sort_openmp_merge() {
  Variant variant =
      sort::comparison_variant<true>("a run a thread by std::sort, then merged in rounds by all threads");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
