#include <numeric>

#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

namespace blocks {

// Accumulates four independent sums to hide the latency of the additions. std::reduce would compute a
// thread's elements as one dependent chain.
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
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  *call.array<T>(1) = sum_of_blocks<T>(
      n, [=](std::int64_t begin, std::int64_t count) { return sum_of_block(a + begin, count); });
}

}  // namespace blocks

namespace reduce {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* sum = call.array<T>(1);
  on_algorithm_threads([=] { *sum = std::reduce(std::execution::par_unseq, a, a + n, T(0)); });
}

}  // namespace reduce

}  // namespace

std::vector<Variant> reduction_stdpar() {
  return {
      {.name = "blocks",
       .description = "std::transform_reduce over blocks with four SIMD accumulators each",
       .launch = SEXTANT_FLOAT_DOUBLE(blocks::launch)},
      {.name = "reduce",
       .description = "std::reduce, par_unseq",
       .launch = SEXTANT_FLOAT_DOUBLE(reduce::launch)},
  };
}

}  // namespace sextant
