// No `parallel`: a team is one thread, whose lanes share the simd loop.
#include "tiles.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

void count_all(std::int64_t w, std::int32_t limit, const std::int32_t* view, std::int32_t* count,
               const target::Warps& shape) {
  const std::uint32_t across = mandelbrot::tiles_across(w);
  const std::int64_t pixels = w * w, all = mandelbrot::tiles_of(w) * mandelbrot::tile_x * mandelbrot::tile_y;
  const int teams = target::teams_for(shape, all);
#pragma omp target SEXTANT_ONE_WARP map(view [0:3], count [0:pixels])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t number = 0; number < all; ++number)
    mandelbrot::do_lane(w, across, number, limit, view, count);
}

void launch(const Call& call) {
  count_all(call.problem.extents.x, mandelbrot::limit_of(call.problem), call.array<const std::int32_t>(0),
            call.array<std::int32_t>(1), call.tuned<target::Warps>());
}

}  // namespace

Variant mandelbrot_target_tiles() {
  Variant variant = target::warps_variant("teams of one warp, tiles of 8 x 4 pixels for its lanes");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
