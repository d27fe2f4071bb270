#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
#pragma omp parallel for schedule(static)
  for (std::int64_t y = 0; y < n; ++y) stencil2d_4pt::row(b, c, n, y);
}

}  // namespace

Variant stencil2d_4pt_openmp_simd() {
  Variant variant;
  variant.description = "threads over rows, SIMD along them";
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
