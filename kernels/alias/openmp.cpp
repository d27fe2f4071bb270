#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  T* x = call.array<T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    x[i] = T(1);
    y[i] = x[i];
  }
}

}  // namespace

std::vector<Variant> alias_openmp() {
  return {{.name = "simd",
           .description = "threads and SIMD, static schedule",
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch)}};
}

}  // namespace sextant
