#include <numeric>

#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* x = call.array<const T>(0);
  const T* y = call.array<const T>(1);
  T* sum = call.array<T>(2);
  on_algorithm_threads([=] { *sum = std::transform_reduce(std::execution::par_unseq, x, x + n, y, T(0)); });
}

}  // namespace

Variant dot_stdpar_transform_reduce() {
  Variant variant;
  variant.description = "std::transform_reduce, par_unseq";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
