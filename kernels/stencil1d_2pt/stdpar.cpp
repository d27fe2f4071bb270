#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  c[0] = b[0];
  for_each_index(1, n - 1, [=](std::int64_t i) { c[i] = stencil1d_2pt::point(b, i); });
  c[n - 1] = b[n - 1];
}

}  // namespace

std::vector<Variant> stencil1d_2pt_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over the interior points",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
