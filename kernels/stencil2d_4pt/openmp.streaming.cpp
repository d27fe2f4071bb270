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
#pragma omp for schedule(static)
    for (std::int64_t y = 0; y < n; ++y)
      stencil2d_4pt::row(b, c, n, y, [=](std::int64_t begin, std::int64_t end) {
        stream_range(begin, end, c, [=](std::int64_t i) { return stencil2d_4pt::point(b, n, i); });
      });
    stream_fence();
  }
}

}  // namespace

Variant stencil2d_4pt_openmp_streaming() {
  Variant variant;
  variant.description = "threads over rows, SIMD along them, stores that bypass the caches";
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
