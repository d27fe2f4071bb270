#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T *x = call.array<const T>(0), *y0 = call.array<const T>(1);
  T* y = call.array<T>(2);
  on_algorithm_threads([&] {
    for (std::int64_t t = 0; t < map_chain::steps_of(call.problem); ++t) {
      const T *from = t == 0 ? y0 : y, sign = t % 2 == 0 ? T(1) : T(-1);
      std::transform(std::execution::par_unseq, from, from + n, x, y,
                     [sign](T one, T other) { return T(0.5) * one + sign * other; });
    }
  });
}

}  // namespace

Variant map_chain_stdpar_transform() {
  Variant variant;
  variant.description = "the form one writes first: std::transform, once a map";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
