// Strips of columns so narrow that the nearest cache keeps the 2R + 1 rows of x
// that a row of y needs.
#include "rows.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Tile {
  int tile_x = 512, tile_y = 64;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, R = conv2d::radius_of(call.problem);
  const auto tile = call.tuned<Tile>();
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t top = 0; top < n; top += tile.tile_y)
    for (std::int64_t left = 0; left < n; left += tile.tile_x)
      for (std::int64_t j = top; j < std::min(n, top + tile.tile_y); ++j)
        conv2d::points<T>({n, R, j, x, w, y}, left, std::min(n, left + tile.tile_x));
}

}  // namespace

Variant conv2d_openmp_tiles() {
  Variant variant;
  variant.description = "threads over tiles, whose rows of x the nearest cache keeps";
  variant.tunables = tunables<Tile>(
      {{"tile_x", &Tile::tile_x, {128, 256, 512, 1024}}, {"tile_y", &Tile::tile_y, {16, 64, 256}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
