#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  for_each_index(0, n, [=](std::int64_t i) { y[p[i]] = a[i]; });
}

}  // namespace

std::vector<Variant> scatter_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over the elements",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
