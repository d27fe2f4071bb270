#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 64;
};

// The vector length is a template argument, as GCC wants it constant.
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

}  // namespace

Variant mandelbrot_openacc_collapse() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: both loops over pixels as one";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
