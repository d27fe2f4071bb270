// The form that one would write first.
#include <cmath>

#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

template <typename T>
void weigh(std::int64_t rows, std::int64_t columns, const T* x, T* y) {
  const std::int64_t count = rows * columns;
#pragma omp target teams distribute parallel for map(to : x [0:count]) map(from : y [0:count])
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t first = r * columns;
    T most = x[first], sum = 0;
    for (std::int64_t c = 1; c < columns; ++c) most = x[first + c] > most ? x[first + c] : most;
    for (std::int64_t c = 0; c < columns; ++c) {
      y[first + c] = std::exp(x[first + c] - most);
      sum += y[first + c];
    }
    for (std::int64_t c = 0; c < columns; ++c) y[first + c] /= sum;
  }
}

template <typename T>
void launch(const Call& call) {
  weigh(softmax::rows_of(call.problem), softmax::columns_of(call.problem), call.array<const T>(0),
        call.array<T>(1));
}

}  // namespace

Variant softmax_target_parallel_for() {
  Variant variant =
      target::mapped_variant("the form one writes first: target teams distribute parallel for over rows");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
