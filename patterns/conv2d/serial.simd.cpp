#include "rows.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
    for (std::int64_t j = 0; j < n; ++j)
      conv2d::points<R>(n, j, 0, n, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant conv2d_serial_simd() {
  Variant variant;
  variant.description = "points of a row in the lanes of a vector, all weights unrolled";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
