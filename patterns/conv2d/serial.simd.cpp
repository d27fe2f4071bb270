#include "rows.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, R = conv2d::radius_of(call.problem);
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t j = 0; j < n; ++j) conv2d::points<T>({n, R, j, x, w, y}, 0, n);
}

}  // namespace

Variant conv2d_serial_simd() {
  Variant variant;
  variant.description = "points of a row in the lanes of vectors, whose sums stay in registers";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
