#include "suite/variant.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int32_t* p = call.array<const std::int32_t>(0);
  const T* a = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) y[p[i]] = a[i];
}

}  // namespace

Variant scatter_openmp_simd() {
  Variant variant;
  variant.description = "threads and SIMD";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
