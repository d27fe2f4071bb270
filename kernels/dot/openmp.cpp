#include "loop.hpp"

namespace sextant {
namespace {

// Accumulates four independent sums to hide the latency of the additions.
template <typename T>
T dot_of_block(const T* a, const T* b, std::int64_t count) {
  const std::int64_t quarter = count / 4;
  T first = 0, second = 0, third = 0, fourth = 0;
#pragma omp simd reduction(+ : first, second, third, fourth)
  for (std::int64_t i = 0; i < quarter; ++i) {
    first += a[i] * b[i];
    second += a[i + quarter] * b[i + quarter];
    third += a[i + 2 * quarter] * b[i + 2 * quarter];
    fourth += a[i + 3 * quarter] * b[i + 3 * quarter];
  }
  for (std::int64_t i = 4 * quarter; i < count; ++i) first += a[i] * b[i];
  return (first + second) + (third + fourth);
}

template <typename T>
void launch(const Call& call) {
  dot::add_blocks<T>(call, dot_of_block<T>);
}

}  // namespace

std::vector<Variant> dot_openmp() {
  return {{.name = "simd",
           .description = "threads with four SIMD accumulators each",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
