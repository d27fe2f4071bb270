#include <algorithm>

#include "loop.hpp"
#include "suite/streaming.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const std::int64_t tile = call.tuning[0], tiles = (n + tile - 1) / tile;
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static)
    for (std::int64_t band = 0; band < tiles; ++band)
      for (std::int64_t z = 0; z < n; ++z)
        for (std::int64_t y = band * tile; y < std::min(n, (band + 1) * tile); ++y)
          stencil3d_7pt::row(b, c, n, z, y, [=](std::int64_t begin, std::int64_t end) {
            stream_range(begin, end, c, [=](std::int64_t i) { return stencil3d_7pt::point(b, n, i); });
          });
    stream_fence();
  }
}

}  // namespace

Variant stencil3d_7pt_openmp_streaming() {
  Variant variant;
  variant.description = "threads over bands of rows through all planes, SIMD, stores that bypass the caches";
  variant.tunables = {{"tile_rows", {4, 8, 16, 32, 64, 128, 256}, 64}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
