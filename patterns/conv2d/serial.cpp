#include "loop.hpp"
#include "rows.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, R = conv2d::radius_of(call.problem);
  const T *x = call.array<const T>(0), *w = call.array<const T>(1);
  T* y = call.array<T>(2);
  for (std::int64_t j = 0; j < n; ++j) conv2d::points<T>({n, R, j, x, w, y}, 0, n);
}

}  // namespace simd

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(conv2d)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(conv2d::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(conv2d::loop)},
      {.name = "simd",
       .description = "SIMD along a row, sums in registers",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  });
}

}  // namespace sextant
