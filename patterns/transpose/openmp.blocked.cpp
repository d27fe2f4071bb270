#include <algorithm>

#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Tile {
  int tile = 32;
};

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const std::int64_t tile = call.tuned<Tile>().tile;
  const T* a = call.array<const T>(0);
  T* y = call.array<T>(1);
#pragma omp parallel for collapse(2) schedule(static)
  for (std::int64_t j = 0; j < extents.x; j += tile)
    for (std::int64_t i = 0; i < extents.y; i += tile)
      transpose::turn_block(extents, a, y, i, std::min(extents.y, i + tile), j,
                            std::min(extents.x, j + tile));
}

}  // namespace

Variant transpose_openmp_blocked() {
  Variant variant;
  variant.description =
      "square tiles, along y's rows: lines of both matrices stay in the cache until they are used up";
  variant.tunables = tunables<Tile>({{"tile", &Tile::tile, {8, 16, 32, 64, 128}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
