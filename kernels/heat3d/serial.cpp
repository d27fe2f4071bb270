#include "host.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

// The reference loop of loop.hpp, single-threaded and compiled with -O2. Speed-ups are relative to it.
namespace baseline {

Variant form() {
  Variant variant = heat3d::host_variant("the plain loop, -O2");
  variant.launch = SEXTANT_FLOAT_DOUBLE(heat3d::loop);
  return variant;
}

}  // namespace baseline

// The loop of serial.baseline, single-threaded and compiled with -O3 for this processor. Rows use SIMD,
// because update_row in loop.hpp keeps the boundary out of the inner loop.
namespace native {

Variant form() {
  Variant variant = heat3d::host_variant("the plain loop, -O3 for this processor");
  variant.launch = SEXTANT_FLOAT_DOUBLE(heat3d::loop);
  return variant;
}

}  // namespace native

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(heat3d)() {
  return compiled_here({
      named("baseline", baseline::form()),
      named("native", native::form()),
  });
}

}  // namespace sextant
