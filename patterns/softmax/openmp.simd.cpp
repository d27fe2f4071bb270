#include "rows.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem), columns = softmax::columns_of(call.problem);
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t r = 0; r < rows; ++r) softmax::three_passes(x + r * columns, columns, y + r * columns);
}

}  // namespace

Variant softmax_openmp_simd() {
  Variant variant;
  variant.description = "threads over rows, three passes in the lanes of a vector";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
