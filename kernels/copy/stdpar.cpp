#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  on_algorithm_threads([=] { std::copy(std::execution::par_unseq, b, b + n, c); });
}

}  // namespace

std::vector<Variant> copy_stdpar() {
  return {{.name = "copy", .description = "std::copy, par_unseq", .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
