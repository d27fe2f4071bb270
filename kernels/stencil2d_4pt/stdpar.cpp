#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for_each_index(0, n, [=](std::int64_t y) { stencil2d_4pt::row(b, c, n, y); });
}

}  // namespace

std::vector<Variant> stencil2d_4pt_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over rows; SIMD along each row",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
