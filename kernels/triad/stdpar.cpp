#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  const T s = static_cast<T>(triad::scalar);
  on_algorithm_threads([=] {
    std::transform(std::execution::par_unseq, a, a + n, b, c, [=](T x, T y) { return x + s * y; });
  });
}

}  // namespace

std::vector<Variant> triad_stdpar() {
  return {{.name = "transform",
           .description = "std::transform of two arrays, par_unseq",
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
