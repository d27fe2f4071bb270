#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* a = call.array<T>(0);
  on_algorithm_threads([&] {
    const auto add_one = [](T& x) { x = x + T(1); };
    std::for_each(std::execution::par_unseq, a, a + n, add_one);
    if (increment::loops(call) == 2) std::for_each(std::execution::par_unseq, a, a + n, add_one);
  });
}

}  // namespace

std::vector<Variant> increment_stdpar() {
  return {{.name = "for_each",
           .description = "std::for_each over the elements, par_unseq; one algorithm call per loop",
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch)}};
}

}  // namespace sextant
