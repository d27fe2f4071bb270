#include "rows.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, R = conv2d::radius_of(call.problem);
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
  for_each_index(0, n, [=](std::int64_t j) { conv2d::points<T>({n, R, j, x, w, y}, 0, n); });
}

}  // namespace

std::vector<Variant> conv2d_stdpar() {
  return {
      {.name = "for_each", .description = "std::for_each over rows", .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
