#include <numeric>

#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

namespace blocks {

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
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  *call.array<T>(2) = sum_of_blocks<T>(
      n, [=](std::int64_t begin, std::int64_t count) { return dot_of_block(a + begin, b + begin, count); });
}

}  // namespace blocks

namespace transform_reduce {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* x = call.array<const T>(0);
  const T* y = call.array<const T>(1);
  T* sum = call.array<T>(2);
  on_algorithm_threads([=] { *sum = std::transform_reduce(std::execution::par_unseq, x, x + n, y, T(0)); });
}

}  // namespace transform_reduce

}  // namespace

std::vector<Variant> dot_stdpar() {
  return {
      {.name = "blocks",
       .description = "std::transform_reduce over blocks with four SIMD accumulators each",
       .launch = SEXTANT_FLOAT_DOUBLE(blocks::launch)},
      {.name = "transform_reduce",
       .description = "std::transform_reduce, par_unseq",
       .launch = SEXTANT_FLOAT_DOUBLE(transform_reduce::launch)},
  };
}

}  // namespace sextant
