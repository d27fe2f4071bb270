#include "loop.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
#pragma omp parallel for schedule(static)
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) mandelbrot::do_row(call, y);
}

}  // namespace

Variant mandelbrot_openmp_static() {
  Variant variant;
  variant.description = "threads over rows, each as many: those in the middle take longer";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
