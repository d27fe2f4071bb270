#include "loop.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

namespace inscan {

template <typename T>
void launch(const Call& call) {
  inclusive_scan::scan_from(T(0), call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
}

}  // namespace inscan

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(inclusive_scan)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the plain loop, -O2",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(inclusive_scan::loop)},
      {.name = "inscan",
       .description = "OpenMP's simd scan directive: sums within a vector by doubling, then the carry",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(inscan::launch)},
      {.name = "native",
       .description = "the plain loop, -O3 for this processor",
       .launch = SEXTANT_FLOAT_DOUBLE_INT(inclusive_scan::loop)},
  });
}

}  // namespace sextant
