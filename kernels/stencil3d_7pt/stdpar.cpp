#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for_each_index(0, n * n, [=](std::int64_t i) { stencil3d_7pt::row(b, c, n, i / n, i % n); });
}

}  // namespace

std::vector<Variant> stencil3d_7pt_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over rows; SIMD along each row",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
