// How threads share the 3-D stencil: bands of rows, each through all planes, so that the rows of three planes
// that a band needs stay in a core's cache.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "suite/grid.hpp"
#include "suite/variant.hpp"

namespace sextant::stencil3d_7pt {

inline std::vector<Tunable> band_tunables() { return {{"tile_rows", {4, 8, 16, 32, 64, 128, 256}, 64}}; }

// Rows [top, bottom) of plane z: those on the border are copied, the others handed to interior(begin, end) as
// one flat range, the first and last columns included.
template <typename T, typename Interior>
void band_of_plane(const T* b, T* c, std::int64_t n, std::int64_t z, std::int64_t top, std::int64_t bottom,
                   Interior interior) {
  std::int64_t begin = (z * n + top) * n, end = (z * n + bottom) * n;
  const auto copy = [=](std::int64_t from, std::int64_t to) {
    std::memcpy(c + from, b + from, static_cast<std::size_t>(to - from) * sizeof(T));
  };
  if (z == 0 || z == n - 1) return copy(begin, end);
  if (top == 0) {
    copy(begin, begin + n);
    begin += n;
  }
  if (bottom == n) {
    end -= n;
    copy(end, end + n);
  }
  interior(begin, end);
}

// All bands of all planes; to be called by every thread of a parallel region.
template <typename T, typename Interior>
void share_bands(const Call& call, Interior interior) {
  const std::int64_t n = call.problem.extents.x, tile = call.tuning[0], tiles = (n + tile - 1) / tile;
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
#pragma omp for collapse(2) schedule(static)
  for (std::int64_t band = 0; band < tiles; ++band)
    for (std::int64_t z = 0; z < n; ++z)
      band_of_plane(b, c, n, z, band * tile, std::min(n, (band + 1) * tile), interior);
}

}  // namespace sextant::stencil3d_7pt
