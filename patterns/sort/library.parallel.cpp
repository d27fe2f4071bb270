#include <parallel/algorithm>

#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  sort::sort_items<T>(call, [](auto* begin, auto* end, auto*) { __gnu_parallel::sort(begin, end); });
}

}  // namespace

Variant sort_library_parallel() {
  Variant variant = sort::comparison_variant<false>("sort of libstdc++'s parallel mode, on OpenMP");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
