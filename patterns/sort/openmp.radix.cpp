// Threads count the digits of their shares, learn from all counts where their keys of each digit go, and take them there.
#include <omp.h>

#include <utility>

#include "digits.hpp"

namespace sextant {
namespace {

// A thread's places, a line of memory and more apart from others'.
struct alignas(64) Places {
  std::int64_t of_digit[sort::radix];
};

struct State {
  std::vector<Places> of_thread{static_cast<std::size_t>(omp_get_max_threads())};
  std::vector<char> workspace;
};

// Counts become places: keys of lower digits first, of the same digit those of lower threads.
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

}  // namespace

Variant sort_openmp_radix() {
  Variant variant;
  variant.description = "digits of 8 bits from the lowest on, a share a thread";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.workspace = [](const Problem& problem, const int*) { return sort::Route<int>::workspace(problem); };
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  return variant;
}

}  // namespace sextant
