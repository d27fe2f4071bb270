#include <algorithm>

#include "loop.hpp"

namespace sextant {
namespace {

// Accumulates four independent sums to hide the latency of the additions.
template <typename T>
T sum_of_block(const T* a, std::int64_t count) {
  const std::int64_t quarter = count / 4;
  T first = 0, second = 0, third = 0, fourth = 0;
#pragma omp simd reduction(+ : first, second, third, fourth)
  for (std::int64_t i = 0; i < quarter; ++i) {
    first += a[i];
    second += a[i + quarter];
    third += a[i + 2 * quarter];
    fourth += a[i + 3 * quarter];
  }
  for (std::int64_t i = 4 * quarter; i < count; ++i) first += a[i];
  return (first + second) + (third + fourth);
}

template <typename T>
void launch(const Call& call) {
  constexpr std::int64_t block = 8192;
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t begin = 0; begin < n; begin += block)
    sum += sum_of_block(a + begin, std::min(block, n - begin));
  *call.array<T>(1) = sum;
}

}  // namespace

std::vector<Variant> reduction_openmp() {
  return {{.name = "simd",
           .description = "threads with four SIMD accumulators each",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
