#include "lanes.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Rows {
  int chunk = 1;
};

void launch(const Call& call) {
  const int chunk = call.tuned<Rows>().chunk;
#pragma omp parallel for schedule(dynamic, chunk)
  for (std::int64_t y = 0; y < call.problem.extents.y; ++y) mandelbrot::do_row_in_lanes(call, y);
}

}  // namespace

Variant mandelbrot_openmp_lanes() {
  Variant variant;
  variant.description = "as dynamic, pixels of a row in the lanes of a vector";
  variant.launch.int32 = launch;
  variant.tunables = tunables<Rows>({{"chunk", &Rows::chunk, {1, 4, 16}}});
  return variant;
}

}  // namespace sextant
