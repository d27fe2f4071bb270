// The form that one would write first.
#include "loop.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T, typename Index>
void convolve(Index n, int R, const T* x, const T* w, T* y) {
  const std::int64_t count = std::int64_t{n} * n, taps = std::int64_t{2 * R + 1} * (2 * R + 1);
#pragma omp target teams distribute parallel for collapse(2) map(to                         \
                                                                 : x [0:count], w [0:taps]) \
    map(from                                                                                \
        : y [0:count])
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      T sum = 0;
      for (int b = -R; b <= R; ++b)
        for (int a = -R; a <= R; ++a)
          if (j + b >= 0 && j + b < n && i + a >= 0 && i + a < n)
            sum += w[(b + R) * (2 * R + 1) + a + R] * x[std::int64_t{j + b} * n + i + a];
      y[std::int64_t{j} * n + i] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    convolve(static_cast<Index>(call.problem.extents.x), static_cast<int>(conv2d::radius_of(call.problem)),
             call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant conv2d_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams "
      "distribute parallel for, both loops as one");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
