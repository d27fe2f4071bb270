#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* a = call.array<T>(0);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
  if (increment::loops(call) == 1) return;
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) a[i] = a[i] + T(1);
}

}  // namespace

std::vector<Variant> increment_openmp() {
  return {{.name = "simd",
           .description = "threads and SIMD, one parallel region per loop",
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch)}};
}

}  // namespace sextant
