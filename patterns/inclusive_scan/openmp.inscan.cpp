#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
  T sum = 0;
#pragma omp parallel for simd reduction(inscan, + : sum)
  for (std::int64_t i = 0; i < n; ++i) {
    sum += a[i];
#pragma omp scan inclusive(sum)
    y[i] = sum;
  }
}

}  // namespace

Variant inclusive_scan_openmp_inscan() {
  Variant variant;
  variant.description = "OpenMP's own scan directive in a parallel loop";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
