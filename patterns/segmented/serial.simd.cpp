#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* o = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t j = 0; j < call.problem.extents.x; ++j) {
    const T* first = a + o[j];
    const std::int32_t count = o[j + 1] - o[j];
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int32_t i = 0; i < count; ++i) sum += first[i];
    y[j] = sum;
  }
}

}  // namespace

Variant segmented_serial_simd() {
  Variant variant;
  variant.description = "a segment's elements by vectors: pays where segments are long";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
