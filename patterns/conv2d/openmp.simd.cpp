#include "rows.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
#pragma omp parallel for schedule(static)
    for (std::int64_t j = 0; j < n; ++j) conv2d::points<R>(n, j, 0, n, x, w, y);
  });
}

}  // namespace

Variant conv2d_openmp_simd() {
  Variant variant;
  variant.description =
      "threads over rows, points in the lanes of a vector, "
      "all weights unrolled";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
