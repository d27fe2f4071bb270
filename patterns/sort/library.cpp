// needs: openmp
#include <parallel/algorithm>

#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  sort::sort_items<T>(call, [](auto* begin, auto* end, auto*) { __gnu_parallel::sort(begin, end); });
}

}  // namespace

std::vector<Variant> sort_library() {
  Variant variant = sort::comparison_variant<false>("sort of libstdc++'s parallel mode (OpenMP)");
  variant.name = "parallel";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.thread_library = ThreadLibrary::openmp;
  return {variant};
}

}  // namespace sextant
