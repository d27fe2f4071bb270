#include "lanes.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) mandelbrot::do_row_in_lanes(call, y);
}

}  // namespace

Variant mandelbrot_serial_lanes() {
  Variant variant;
  variant.description = "pixels of a row in the lanes of a vector, until all have left";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
