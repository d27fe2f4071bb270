#include <numeric>

#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* sum = call.array<T>(1);
  on_algorithm_threads([=] { *sum = std::reduce(std::execution::par_unseq, a, a + n, T(0)); });
}

}  // namespace

Variant reduction_stdpar_reduce() {
  Variant variant;
  variant.description = "std::reduce, par_unseq";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
