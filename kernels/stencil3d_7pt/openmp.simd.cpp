#include "bands.hpp"
#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
#pragma omp parallel
  stencil3d_7pt::share_bands<T>(call, [=](std::int64_t begin, std::int64_t end) {
#pragma omp simd
    for (std::int64_t i = begin; i < end; ++i) c[i] = stencil3d_7pt::point(b, n, i);
    ColumnEnds<T>(b, n, begin)(begin, end, c + begin);
  });
}

}  // namespace

Variant stencil3d_7pt_openmp_simd() {
  Variant variant;
  variant.description = "threads over bands of rows through all planes, SIMD along rows";
  variant.tunables = stencil3d_7pt::band_tunables();
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
