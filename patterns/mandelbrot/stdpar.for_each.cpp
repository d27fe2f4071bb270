#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  for_each_index(0, call.problem.extents.y, [&](std::int64_t y) { mandelbrot::do_row(call, y); });
}

}  // namespace

Variant mandelbrot_stdpar_for_each() {
  Variant variant;
  variant.description = "std::for_each over rows";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
