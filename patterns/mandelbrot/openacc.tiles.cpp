#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tiles.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 64;
};

template <int length>
void count_all(std::int64_t w, std::int32_t limit, const std::int32_t* view, std::int32_t* count) {
  const std::uint32_t across = mandelbrot::tiles_across(w);
  const std::int64_t pixels = w * w, all = mandelbrot::tiles_of(w) * mandelbrot::tile_x * mandelbrot::tile_y;
  const int gangs = openacc::gangs_for(all, length);
#pragma acc parallel loop gang(static : 1) vector vector_length(length) num_gangs(gangs) \
    present(view [0:3], count [0:pixels])
  for (std::int64_t number = 0; number < all; ++number)
    mandelbrot::do_lane(w, across, number, limit, view, count);
}

void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    count_all<length>(call.problem.extents.x, mandelbrot::limit_of(call.problem),
                      call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
  });
}

}  // namespace

Variant mandelbrot_openacc_tiles() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a tile of 8 x 4 pixels for the lanes of a warp";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
