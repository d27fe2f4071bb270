// Reads twice: each thread sums its share, then scans it from the sum of the shares before. Until then a share's sum lies
// where its last result will.
#include <omp.h>

#include "loop.hpp"

namespace sextant {
namespace {

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

}  // namespace

Variant inclusive_scan_openmp_two_pass() {
  Variant variant;
  variant.description = "each thread sums its share, then scans it from the sum of those before: reads twice";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
