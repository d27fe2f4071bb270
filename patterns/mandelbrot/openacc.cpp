#include "loop.hpp"
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

namespace collapse {

// The vector length is a template argument because GCC accepts only a constant there.
template <int length>
void count_all(std::int32_t w, std::int32_t limit, const std::int32_t* view, std::int32_t* count) {
  const std::int64_t pixels = std::int64_t{w} * w;
#pragma acc parallel loop gang vector collapse(2) vector_length(length) present(view [0:3], count [0:pixels])
  for (std::int32_t y = 0; y < w; ++y)
    for (std::int32_t x = 0; x < w; ++x)
      count[std::int64_t{y} * w + x] = mandelbrot::steps_of(mandelbrot::place_of(view, x, y), limit);
}

void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    count_all<length>(static_cast<std::int32_t>(call.problem.extents.x), mandelbrot::limit_of(call.problem),
                      call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
  });
}

}  // namespace collapse

namespace tiles {

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

}  // namespace tiles

}  // namespace

std::vector<Variant> mandelbrot_openacc() {
  return {
      {.name = "collapse",
       .description = "the plain form: both loops over pixels collapsed into one",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = {.int32 = collapse::launch}},
      {.name = "tiles",
       .description = "one pixel per lane; each warp computes a tile of 8 x 4 pixels",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = {.int32 = tiles::launch}},
  };
}

}  // namespace sextant
