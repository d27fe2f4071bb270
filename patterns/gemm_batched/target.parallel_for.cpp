// The form that one would write first.
#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename Index, typename T>
void multiply(Index batches, Index m, const T* a, const T* b, T* c) {
  const std::int64_t count = std::int64_t{batches} * m * m;
#pragma omp target teams distribute parallel for collapse(3) map(to                          \
                                                                 : a [0:count], b [0:count]) \
    map(from                                                                                 \
        : c [0:count])
  for (Index batch = 0; batch < batches; ++batch)
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j < m; ++j) {
        const std::int64_t first = std::int64_t{batch} * m * m;
        T sum = 0;
        for (Index k = 0; k < m; ++k) sum += a[first + i * m + k] * b[first + k * m + j];
        c[first + i * m + j] = sum;
      }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    multiply(static_cast<Index>(gemm_batched::batches_of(call.problem)),
             static_cast<Index>(gemm_batched::size_of(call.problem)), call.array<const T>(0),
             call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant gemm_batched_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for, matrices, rows and columns collapsed");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
