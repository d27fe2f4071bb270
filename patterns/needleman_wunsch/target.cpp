#include <algorithm>

#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// The straightforward implementation: one target region per antidiagonal.
namespace parallel_for {

void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1);
#pragma omp target teams distribute parallel for map(h [0:count])
  for (std::int64_t i = 0; i <= n; ++i) {
    h[i] = static_cast<std::int32_t>(-2 * i);
    h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
  }
}

// Computes the cells (i, d - i) of antidiagonal d.
void fill_diagonal(std::int64_t n, std::int64_t d, const std::int32_t* a, const std::int32_t* b,
                   std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1), first = std::max<std::int64_t>(1, d - n),
                     last = std::min(n, d - 1);
#pragma omp target teams distribute parallel for map(a [0:n], b [0:n], h [0:count])
  for (std::int64_t i = first; i <= last; ++i)
    h[i * (n + 1) + d - i] = needleman_wunsch::cell(n, i, d - i, a[i - 1], b[d - i - 1], h);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  fill_borders(n, call.array<std::int32_t>(2));
  for (std::int64_t d = 2; d <= 2 * n; ++d)
    fill_diagonal(n, d, call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
                  call.array<std::int32_t>(2));
}

Variant form() {
  Variant variant = target::mapped_variant(
      "the plain form: target teams distribute parallel for, one region per antidiagonal");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace parallel_for

// Blocked wavefront: one target region per antidiagonal of tiles of 32 x 32 cells. One team computes each
// tile, with one row per SIMD lane.
namespace tile_diagonals {

constexpr int tile = 32;

void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1);
#pragma omp target SEXTANT_ONE_WARP map(h [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(128)
  for (std::int64_t i = 0; i <= n; ++i) {
    h[i] = static_cast<std::int32_t>(-2 * i);
    h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
  }
}

// Computes tiles (t, d - t) of antidiagonal d for t = first … last.
void fill_tiles(std::int64_t n, std::int64_t d, std::int64_t first, std::int64_t last, const std::int32_t* a,
                const std::int32_t* b, std::int32_t* h, int most_teams) {
  const std::int64_t count = (n + 1) * (n + 1);
  const int teams = target::teams_for(most_teams, last - first + 1, 1);
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], h [0:count])
#pragma omp teams distribute num_teams(teams)
  for (std::int64_t t = first; t <= last; ++t) {
    const std::int64_t top = t * tile + 1, left = (d - t) * tile + 1;
    for (int step = 0; step < 2 * tile - 1; ++step)
#pragma omp SEXTANT_LANES
      for (int r = 0; r < tile; ++r) {
        const std::int64_t i = top + r, j = left + step - r;
        if (step >= r && step - r < tile && i <= n && j <= n)
          h[i * (n + 1) + j] = needleman_wunsch::cell(n, i, j, a[i - 1], b[j - 1], h);
      }
  }
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, tiles = (n + tile - 1) / tile;
  fill_borders(n, call.array<std::int32_t>(2));
  for (std::int64_t d = 0; d < 2 * tiles - 1; ++d)
    fill_tiles(n, d, std::max<std::int64_t>(0, d - tiles + 1), std::min(tiles - 1, d),
               call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
               call.array<std::int32_t>(2), call.tuned<target::Warps>().teams);
}

Variant form() {
  Variant variant =
      target::warps_variant("one region per antidiagonal of tiles; one tile per team, one row per lane");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace tile_diagonals

}  // namespace

std::vector<Variant> needleman_wunsch_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("tile_diagonals", tile_diagonals::form()),
  };
}

}  // namespace sextant
