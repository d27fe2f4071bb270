#include "loop.hpp"
#include "rows.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const auto value = [=](std::int64_t i) { return stencil2d_4pt::point(b, n, i); };
  const auto no_patch = [](std::int64_t) { return NoPatch{}; };
#pragma omp parallel
  {
    stencil2d_4pt::share_rows<T>(call, [=]<int rows>(std::int64_t y) {
      stream_runs<rows>(y * n + 1, y * n + n - 1, n, c, value, no_patch);
    });
    stream_fence();
  }
}

}  // namespace

Variant stencil2d_4pt_openmp_streaming() {
  Variant variant;
  variant.description =
      "threads over groups of rows computed side by side, SIMD, stores that bypass the caches";
  variant.tunables = stencil2d_4pt::row_tunables(8);
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
