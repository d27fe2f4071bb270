#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) {
    T sum = 0;
    for (std::int64_t i = o[j]; i < o[j + 1]; ++i) sum += a[i];
    y[j] = sum;
  }
}

}  // namespace

Variant segmented_openmp_dynamic() {
  Variant variant;
  variant.description = "threads take 1024 segments at a time";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
