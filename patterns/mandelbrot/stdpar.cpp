#include "lanes.hpp"
#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

namespace for_each {

void launch(const Call& call) {
  for_each_index(0, call.problem.extents.y, [&](std::int64_t y) { mandelbrot::do_row(call, y); });
}

}  // namespace for_each

namespace lanes {

void launch(const Call& call) {
  for_each_index(0, call.problem.extents.y, [&](std::int64_t y) { mandelbrot::do_row_in_lanes(call, y); });
}

}  // namespace lanes

}  // namespace

std::vector<Variant> mandelbrot_stdpar() {
  return {
      {.name = "for_each", .description = "std::for_each over rows", .launch = {.int32 = for_each::launch}},
      {.name = "lanes",
       .description = "std::for_each over rows; neighbouring pixels of a row in SIMD lanes",
       .launch = {.int32 = lanes::launch}},
  };
}

}  // namespace sextant
