#include "lanes.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for_each_index(0, call.problem.extents.y, [&](std::int64_t y) { mandelbrot::do_row_in_lanes(call, y); });
}

}  // namespace

Variant mandelbrot_stdpar_lanes() {
  Variant variant;
  variant.description = "std::for_each over rows, pixels in the lanes of a vector";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
