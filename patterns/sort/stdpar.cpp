#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  sort::sort_items<T>(call, [](auto* begin, auto* end, auto*) {
    on_algorithm_threads([=] { std::sort(std::execution::par_unseq, begin, end); });
  });
}

}  // namespace

std::vector<Variant> sort_stdpar() {
  Variant variant =
      sort::comparison_variant<false>("std::sort with par_unseq; pairs as one number of key and index");
  variant.name = "sort";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return {variant};
}

}  // namespace sextant
