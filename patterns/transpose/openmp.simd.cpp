#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = call.problem.extents.y, columns = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t j = 0; j < columns; ++j)
#pragma omp simd
    for (std::int64_t i = 0; i < rows; ++i) y[j * rows + i] = a[i * columns + j];
}

}  // namespace

Variant transpose_openmp_simd() {
  Variant variant;
  variant.description = "y's rows shared among the threads, each written in order";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
