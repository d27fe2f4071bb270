#include <omp.h>

#include <utility>

#include "digits.hpp"
#include "loop.hpp"

namespace sextant {
namespace {

// Parallel merge sort. Each thread sorts its slice. Then sorted runs are merged in pairs, in rounds in which
// all threads take part. Each thread produces a slice of the result and finds by bisection where this slice
// starts in the two runs.
namespace merge {

// Returns how many of the first k elements of the merged a and b come from a. An element of a comes before an
// equal one of b.
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

// Merges the runs first … middle - 1 and middle … last - 1 of `from` into `to`, but computes only elements
// begin … end - 1 of the result.
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

// Merges `threads` sorted runs into one. All threads must call it. Each round reads one of `items` and
// `other` and writes the other one.
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
      // If the number of rounds is odd, the runs start in `other`, so that the last round writes to the
      // output.
      bool odd = false;
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

Variant form() {
  Variant variant = sort::comparison_variant<true>(
      "the plain form: each thread sorts its slice by std::sort; then all threads merge the slices in "
      "rounds");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace merge

// Radix sort. Each thread counts the digits of its slice, computes its output positions from the counts of
// all threads, and moves its keys there.
namespace radix {

// For each digit, the output position of one thread's next key. Aligned to avoid false sharing.
struct alignas(64) Places {
  std::int64_t of_digit[sort::radix];
};

struct State {
  std::vector<Places> of_thread{static_cast<std::size_t>(omp_get_max_threads())};
  std::vector<char> workspace;
};

// Replaces the counts by output positions (exclusive prefix sums, first over digits, then over threads).
void count_to_places(Places* of_thread, std::int64_t threads) {
  std::int64_t before = 0;
  for (int digit = 0; digit < sort::radix; ++digit)
    for (std::int64_t t = 0; t < threads; ++t) before += std::exchange(of_thread[t].of_digit[digit], before);
}

template <typename T>
void launch(const Call& call) {
  constexpr int digits = sort::digits_of<T>;
  const std::int64_t n = call.problem.extents.x;
  auto& state = *static_cast<State*>(call.state);
  const sort::Route<T> route(call, state.workspace.data());
  Places* of_thread = state.of_thread.data();
#pragma omp parallel num_threads(static_cast <int>(state.of_thread.size()))
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const std::int64_t begin = thread * n / threads, end = (thread + 1) * n / threads;
    std::int64_t* mine = of_thread[thread].of_digit;
    for (int digit = 0; digit < digits; ++digit) {
      const sort::Arrays<T> from = route.source(digit, digits);
      std::fill(mine, mine + sort::radix, 0);
      for (std::int64_t i = begin; i < end; ++i) ++mine[sort::digit_of(from.keys[i], digit)];
#pragma omp barrier
#pragma omp single
      count_to_places(of_thread, threads);
      sort::distribute(from, route.target(digit, digits), begin, end, digit, mine);
#pragma omp barrier
    }
  }
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  mine->workspace.resize(static_cast<std::size_t>(sort::Route<int>::workspace(call.problem)));
  *state = mine;
  return nullptr;
}

}  // namespace radix

}  // namespace

std::vector<Variant> sort_openmp() {
  return {
      named("merge", merge::form()),
      {.name = "radix",
       .description = "radix sort with 8-bit digits, lowest first; one slice of keys per thread",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(radix::launch),
       .prepare = radix::prepare,
       .release = [](void* state) { delete static_cast<radix::State*>(state); },
       .workspace = [](const Problem& problem, const int*) { return sort::Route<int>::workspace(problem); }},
  };
}

}  // namespace sextant
