#include "loop.hpp"
#include "newton.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const std::int64_t n = call.problem.extents.x;
  for (std::int64_t i = 0; i < n; ++i) nbody::attract_one<nbody::NewtonRoot>(n, all, i);
}

}  // namespace simd

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(nbody)() {
  return compiled_here({
      {.name = "baseline", .description = "the plain loop, -O2", .launch = SEXTANT_FLOAT_DOUBLE(nbody::loop)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(nbody::loop)},
      {.name = "simd",
       .description = "attracting bodies in SIMD lanes; reciprocal roots by Newton's method",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  });
}

}  // namespace sextant
