#include <algorithm>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// The straightforward implementation: one compute region per antidiagonal.
namespace diagonals {

struct Gang {
  int vector_length = 128;
};

template <int length>
void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1);
#pragma acc parallel loop gang vector present(h [0:count]) vector_length(length)
  for (std::int64_t i = 0; i <= n; ++i) {
    h[i] = static_cast<std::int32_t>(-2 * i);
    h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
  }
}

// Computes the cells (i, d - i) of antidiagonal d.
template <int length>
void fill_diagonal(std::int64_t n, std::int64_t d, const std::int32_t* a, const std::int32_t* b,
                   std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1), first = std::max<std::int64_t>(1, d - n),
                     last = std::min(n, d - 1);
#pragma acc parallel loop gang vector present(a [0:n], b [0:n], h [0:count]) vector_length(length)
  for (std::int64_t i = first; i <= last; ++i)
    h[i * (n + 1) + d - i] = needleman_wunsch::cell(n, i, d - i, a[i - 1], b[d - i - 1], h);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    fill_borders<length>(n, call.array<std::int32_t>(2));
    for (std::int64_t d = 2; d <= 2 * n; ++d)
      fill_diagonal<length>(n, d, call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
                            call.array<std::int32_t>(2));
  });
}

}  // namespace diagonals

// Blocked wavefront: one compute region per antidiagonal of square tiles, one tile per gang and one row per
// lane. The vector loop ends after each antidiagonal of a tile, which synchronizes the lanes.
namespace tile_diagonals {

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

// Computes tiles (t, d - t) of antidiagonal d for t = first … last.
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

}  // namespace tile_diagonals

}  // namespace

std::vector<Variant> needleman_wunsch_openacc() {
  return {
      {.name = "diagonals",
       .description = "the plain form: one region per antidiagonal, one cell per lane",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<diagonals::Gang>(
           {{"vector_length", &diagonals::Gang::vector_length, BlockSizes::list()}}),
       .launch = {.int32 = diagonals::launch}},
      {.name = "tile_diagonals",
       .description = "one region per antidiagonal of tiles; one tile per gang, one row per lane",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<tile_diagonals::Gang>(
           {{"tile", &tile_diagonals::Gang::tile, tile_diagonals::Tiles::list()}}),
       .launch = {.int32 = tile_diagonals::launch}},
  };
}

}  // namespace sextant
