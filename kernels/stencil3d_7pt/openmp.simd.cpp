#include <algorithm>

#include "loop.hpp"

namespace sextant {
namespace {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  const std::int64_t tile = call.tuning[0], tiles = (n + tile - 1) / tile;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t band = 0; band < tiles; ++band)
    for (std::int64_t z = 0; z < n; ++z)
      for (std::int64_t y = band * tile; y < std::min(n, (band + 1) * tile); ++y)
        stencil3d_7pt::row(b, c, n, z, y);
}

}  // namespace

Variant stencil3d_7pt_openmp_simd() {
  Variant variant;
  variant.description = "threads over bands of rows through all planes, SIMD along rows";
  variant.tunables = {{"tile_rows", {4, 8, 16, 32, 64, 128, 256}, 64}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
