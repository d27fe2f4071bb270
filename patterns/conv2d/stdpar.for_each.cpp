#include "rows.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
  conv2d::Radii::with(static_cast<int>(conv2d::radius_of(call.problem)), [&]<int R>() {
    for_each_index(0, n, [=](std::int64_t j) { conv2d::points<R>(n, j, 0, n, x, w, y); });
  });
}

}  // namespace

Variant conv2d_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over rows";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
