// Helpers for variants that use C++'s parallel algorithms: a counting iterator, and threads on all processors
// that OpenMP uses.
#pragma once

#include <omp.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

namespace sextant {

// A random access iterator over indices. In C++17, the iterators of std::views::iota do not count as random
// access, so that parallel algorithms would run on one thread.
class Counter {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::int64_t;
  using difference_type = std::int64_t;
  using pointer = const std::int64_t*;
  using reference = std::int64_t;

  Counter() = default;
  explicit Counter(std::int64_t at) : at_(at) {}
  std::int64_t operator*() const { return at_; }
  std::int64_t operator[](std::int64_t step) const { return at_ + step; }
  Counter& operator++() { return ++at_, *this; }
  Counter operator++(int) { return Counter(at_++); }
  Counter& operator--() { return --at_, *this; }
  Counter operator--(int) { return Counter(at_--); }
  Counter& operator+=(std::int64_t step) { return at_ += step, *this; }
  Counter& operator-=(std::int64_t step) { return at_ -= step, *this; }
  friend Counter operator+(Counter a, std::int64_t step) { return Counter(a.at_ + step); }
  friend Counter operator+(std::int64_t step, Counter a) { return Counter(a.at_ + step); }
  friend Counter operator-(Counter a, std::int64_t step) { return Counter(a.at_ - step); }
  friend std::int64_t operator-(Counter a, Counter b) { return a.at_ - b.at_; }
  friend auto operator<=>(Counter, Counter) = default;

 private:
  std::int64_t at_ = 0;
};

// The threads that run parallel algorithms: one per OpenMP thread, on all processors that OpenMP uses. TBB's
// default would be the processors of the calling thread, which OpenMP has bound to one processor.
class AlgorithmThreads {
 public:
  static AlgorithmThreads& all() {
    static AlgorithmThreads* const threads =
        new AlgorithmThreads(omp_get_max_threads());  // never deleted, because TBB's threads outlive main
    return *threads;
  }

  template <typename Body>
  void run(const Body& body) {
    arena_.execute(body);
  }

 private:
  // Removes the CPU binding of each TBB thread that enters the arena.
  class Free : public tbb::task_scheduler_observer {
   public:
    explicit Free(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) {
      CPU_ZERO(&processors_);
      for (int place = 0; place < omp_get_num_places(); ++place) {
        std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
        omp_get_place_proc_ids(place, ids.data());
        for (const int id : ids) CPU_SET(static_cast<std::size_t>(id), &processors_);
      }
      observe(true);
    }

    void on_scheduler_entry(bool is_worker) override {
      if (is_worker && CPU_COUNT(&processors_) > 0) ::sched_setaffinity(0, sizeof processors_, &processors_);
    }

   private:
    cpu_set_t processors_;
  };

  explicit AlgorithmThreads(int threads)
      : control_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        arena_(threads),
        free_(arena_) {}

  tbb::global_control control_;
  tbb::task_arena arena_;
  Free free_;
};

// Calls body() so that the parallel algorithms in it run on all threads. (nvc++ has its own threads or uses a
// GPU.)
template <typename Body>
void on_algorithm_threads(const Body& body) {
#if defined(__NVCOMPILER)
  body();
#else
  AlgorithmThreads::all().run(body);
#endif
}

// Calls body(i) for each i in [begin, end), in any order and in parallel.
template <typename Body>
void for_each_index(std::int64_t begin, std::int64_t end, const Body& body) {
  if (begin < end)
    on_algorithm_threads([&] { std::for_each(std::execution::par, Counter(begin), Counter(end), body); });
}

// Returns the sum of part(begin, count) over blocks of 0 … n-1, in parallel. part(begin, count) returns the
// sum of one block.
template <typename T, typename Part>
T sum_of_blocks(std::int64_t n, const Part& part) {
  constexpr std::int64_t block = 8192;
  T sum = 0;
  on_algorithm_threads([&] {
    sum = std::transform_reduce(
        std::execution::par, Counter(0), Counter((n + block - 1) / block), T(0), std::plus<T>(),
        [&](std::int64_t index) { return part(index * block, std::min(block, n - index * block)); });
  });
  return sum;
}

}  // namespace sextant
