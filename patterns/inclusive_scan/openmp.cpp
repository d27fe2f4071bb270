#include <omp.h>

#include <algorithm>

#include "loop.hpp"
#include "toolbox/host/past_caches.hpp"

namespace sextant {
namespace {

namespace inscan {

#if defined(__clang__) && __clang_major__ <= 14
const char* why_not() {
  return "Clang 14 miscompiles the OpenMP scan directive: its code reads outside its buffer";
}
template <typename T>
void launch(const Call&) {}  // empty: Clang 14 cannot compile the scan directive in a template
#else
const char* why_not() { return nullptr; }

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  T sum = 0;
  #pragma omp parallel for simd reduction(inscan, + : sum)
  for (std::int64_t i = 0; i < n; ++i) {
    sum += a[i];
  #pragma omp scan inclusive(sum)
    y[i] = sum;
  }
}
#endif

}  // namespace inscan

// In each round, every thread first sums and then scans one chunk that fits in its core's caches, so that
// memory is read only once.
namespace rounds {

struct Pieces {
  int chunk_kib = 256, streaming_stores = 1;
};

// Like scan_from, but with stores that bypass the caches.
template <typename T>
T scan_past_caches(T sum, std::int64_t count, const T* a, T* y) {
  constexpr std::int64_t most = 1024;
  StreamedRun<T, most> results(y);
  for (std::int64_t i = 0; i < count; i += most) {
    const std::int64_t part = std::min(most, count - i);
    sum = inclusive_scan::scan_from(sum, part, a + i, results.room());
    results.add(part);
  }
  return sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const auto how = call.tuned<Pieces>();
  const std::int64_t piece = how.chunk_kib * std::int64_t{1024} / static_cast<std::int64_t>(sizeof(T));
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  T carry = 0;  // the sum of all elements of earlier rounds
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    for (std::int64_t round = 0; round < n; round += threads * piece) {
      const auto begin_of = [=](std::int64_t t) { return std::min(n, round + t * piece); };
      const std::int64_t begin = begin_of(thread), end = begin_of(thread + 1);
      if (begin < end) y[end - 1] = inclusive_scan::sum_of(end - begin, a + begin);
#pragma omp barrier
      T before = carry;
      for (std::int64_t t = 0; t < thread; ++t)
        if (begin_of(t) < begin_of(t + 1)) before += y[begin_of(t + 1) - 1];
#pragma omp barrier
      const T last = how.streaming_stores
                         ? scan_past_caches(before, end - begin, a + begin, y + begin)
                         : inclusive_scan::scan_from(before, end - begin, a + begin, y + begin);
      // Other threads read the carry only after the first barrier of the next round.
      if (thread == threads - 1) carry = last;
    }
  }
}

}  // namespace rounds

// Reads the input twice: each thread sums its slice, then scans it with the sum of the earlier slices as
// start value. In between, the sum of a slice is stored in the position of the slice's last result.
namespace two_pass {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel
  {
    const std::int64_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const auto begin_of = [=](std::int64_t t) { return n / threads * t + n % threads * t / threads; };
    const std::int64_t begin = begin_of(thread), end = begin_of(thread + 1);
    if (begin < end) y[end - 1] = inclusive_scan::sum_of(end - begin, a + begin);
#pragma omp barrier
    T before = 0;
    for (std::int64_t t = 0; t < thread; ++t)
      if (begin_of(t) < begin_of(t + 1)) before += y[begin_of(t + 1) - 1];
#pragma omp barrier
    inclusive_scan::scan_from(before, end - begin, a + begin, y + begin);
  }
}

}  // namespace two_pass

}  // namespace

std::vector<Variant> inclusive_scan_openmp() {
  return {
      {.name = "inscan",
       .description = "OpenMP's scan directive (inscan reduction) in a parallel loop",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(inscan::launch),
       .unavailable = inscan::why_not},
      {.name = "rounds",
       .description = "threads sum and then scan a chunk that fits their caches, so memory is read once; "
                      "streaming_stores bypass the caches",
       .tunables =
           tunables<rounds::Pieces>({{"chunk_kib", &rounds::Pieces::chunk_kib, {16, 64, 256, 1024}},
                                     {"streaming_stores", &rounds::Pieces::streaming_stores, {0, 1}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(rounds::launch),
       .adapt = by_name<adapt_past_shared_cache<rounds::Pieces>>,
       .for_large_arrays = true},
      {.name = "two_pass",
       .description = "each thread sums its slice, then scans it from the sum of earlier slices; reads twice",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(two_pass::launch)},
  };
}

}  // namespace sextant
