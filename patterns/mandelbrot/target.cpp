#include "loop.hpp"
#include "tiles.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// The straightforward implementation.
namespace parallel_for {

void count_all(std::int32_t w, std::int32_t limit, const std::int32_t* view, std::int32_t* count) {
  const std::int64_t pixels = std::int64_t{w} * w;
#pragma omp target teams distribute parallel for collapse(2) map(to : view [0:3]) map(from : count [0:pixels])
  for (std::int32_t y = 0; y < w; ++y)
    for (std::int32_t x = 0; x < w; ++x)
      count[std::int64_t{y} * w + x] = mandelbrot::steps_of(mandelbrot::place_of(view, x, y), limit);
}

void launch(const Call& call) {
  count_all(static_cast<std::int32_t>(call.problem.extents.x), mandelbrot::limit_of(call.problem),
            call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the plain form: target teams distribute parallel for, both loops collapsed");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace parallel_for

// A team has one thread, which GCC maps to a warp. The simd loop runs on the 32 lanes of that warp.
namespace tiles {

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

Variant form() {
  Variant variant = target::warps_variant("one pixel per lane; 32 lanes compute a tile of 8 x 4 pixels");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace tiles

}  // namespace

std::vector<Variant> mandelbrot_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("tiles", tiles::form()),
  };
}

}  // namespace sextant
