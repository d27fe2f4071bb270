#include "bands.hpp"
#include "loop.hpp"
#include "suite/streaming.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
#pragma omp parallel
  {
    stencil3d_7pt::share_bands<T>(call, [=](std::int64_t begin, std::int64_t end) {
      stream_range(
          begin, end, c, [=](std::int64_t i) { return stencil3d_7pt::point(b, n, i); },
          ColumnEnds<T>(b, n, begin));
    });
    stream_fence();
  }
}

}  // namespace

Variant stencil3d_7pt_openmp_streaming() {
  Variant variant;
  variant.description = "threads over bands of rows through all planes, SIMD, stores that bypass the caches";
  variant.tunables = stencil3d_7pt::band_tunables();
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
