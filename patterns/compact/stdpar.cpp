#include "suite/variant.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  std::int32_t* count = call.array<std::int32_t>(2);
  on_algorithm_threads([=] {
    const T* end = std::copy_if(std::execution::par_unseq, a, a + n, y, [](T value) { return value >= 0; });
    *count = static_cast<std::int32_t>(end - y);
  });
}

}  // namespace

std::vector<Variant> compact_stdpar() {
  return {{.name = "copy_if",
           .description = "std::copy_if, par_unseq",
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch)}};
}

}  // namespace sextant
