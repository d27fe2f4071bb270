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
  on_algorithm_threads([=] {
    std::transform(std::execution::par_unseq, p, p + n, y, [=](std::int32_t place) { return a[place]; });
  });
}

}  // namespace

std::vector<Variant> gather_stdpar() {
  return {{.name = "transform",
           .description = "std::transform over the indices, par_unseq",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
