#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t count = call.problem.extents.count();
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) c[i] = b[i];
}

}  // namespace

Variant rows_openmp_reordered() {
  Variant variant;
  variant.description = "the same copy in the order of memory: what another order would give";
  variant.aside = true;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
