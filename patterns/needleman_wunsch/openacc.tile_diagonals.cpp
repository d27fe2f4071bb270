// A region a diagonal of square tiles, a tile a gang, a row a lane: lanes wait for each other from diagonal to diagonal of the tile.
#include <algorithm>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Tiles = Choices<32, 64, 128>;

struct Gang {
  int tile = 64;
};

void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1);
#pragma acc parallel loop gang vector present(h [0:count]) vector_length(128)
  for (std::int64_t i = 0; i <= n; ++i) {
    h[i] = static_cast<std::int32_t>(-2 * i);
    h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
  }
}

// Tiles (first, d - first) to (last, d - last).
template <int tile>
void fill_tiles(std::int64_t n, std::int64_t d, std::int64_t first, std::int64_t last, const std::int32_t* a,
                const std::int32_t* b, std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1);
#pragma acc parallel loop gang present(a [0:n], b [0:n], h [0:count]) vector_length(tile)
  for (std::int64_t t = first; t <= last; ++t) {
    const std::int64_t top = t * tile + 1, left = (d - t) * tile + 1;
#pragma acc loop seq
    for (int step = 0; step < 2 * tile - 1; ++step)
#pragma acc loop vector
      for (int r = 0; r < tile; ++r) {
        const std::int64_t i = top + r, j = left + step - r;
        if (step >= r && step - r < tile && i <= n && j <= n)
          h[i * (n + 1) + j] = needleman_wunsch::cell(n, i, j, a[i - 1], b[j - 1], h);
      }
  }
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  fill_borders(n, call.array<std::int32_t>(2));
  Tiles::with(call.tuned<Gang>().tile, [&]<int tile>() {
    const std::int64_t tiles = (n + tile - 1) / tile;
    for (std::int64_t d = 0; d < 2 * tiles - 1; ++d)
      fill_tiles<tile>(n, d, std::max<std::int64_t>(0, d - tiles + 1), std::min(tiles - 1, d),
                       call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
                       call.array<std::int32_t>(2));
  });
}

}  // namespace

Variant needleman_wunsch_openacc_tile_diagonals() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a region a diagonal of tiles, a tile a gang, whose lanes walk along rows";
  variant.tunables = tunables<Gang>({{"tile", &Gang::tile, Tiles::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
