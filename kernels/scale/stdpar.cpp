#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const T s = static_cast<T>(scale::scalar);
  on_algorithm_threads(
      [=] { std::transform(std::execution::par_unseq, b, b + n, c, [=](T x) { return s * x; }); });
}

}  // namespace

std::vector<Variant> scale_stdpar() {
  return {{.name = "transform",
           .description = "std::transform of one array, par_unseq",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
