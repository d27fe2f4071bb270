#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for schedule(guided)
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) y[j] = segmented::sum_of(a, o[j], o[j + 1]);
}

}  // namespace

Variant segmented_openmp_guided() {
  Variant variant;
  variant.description = "threads take fewer and fewer segments at a time";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
