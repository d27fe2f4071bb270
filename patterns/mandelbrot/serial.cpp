#include "lanes.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace lanes {

void launch(const Call& call) {
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) mandelbrot::do_row_in_lanes(call, y);
}

}  // namespace lanes

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(mandelbrot)() {
  return compiled_here({
      {.name = "baseline", .description = "the plain loop, -O2", .launch = {.int32 = mandelbrot::loop}},
      {.name = "lanes",
       .description = "neighbouring pixels of a row in SIMD lanes, until all of them have escaped",
       .launch = {.int32 = lanes::launch}},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = {.int32 = mandelbrot::loop}},
  });
}

}  // namespace sextant
