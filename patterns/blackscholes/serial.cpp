#include "host.hpp"
#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  blackscholes::price_part<T>(call, 0, call.problem.extents.x);
}

}  // namespace simd

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(blackscholes)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, functions of the math library, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE(blackscholes::loop)},
      {.name = "native",
       .description = "the plain loop, functions of the math library, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE(blackscholes::loop)},
      {.name = "simd",
       .description = "SIMD, polynomials in place of math library functions",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  });
}

}  // namespace sextant
