// The form that one would write first.
#include "loop.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

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

}  // namespace

Variant mandelbrot_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "the form one writes first: target teams distribute parallel for over both loops as one");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
