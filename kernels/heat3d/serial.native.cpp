// The loop of serial.baseline, compiled with -O3 for this processor: one thread, SIMD along the rows
// (update_row in loop.hpp keeps the rim out of the inner loop).
#include "host.hpp"

namespace sextant {

Variant heat3d_serial_native() {
  Variant variant = heat3d::host_variant("the plain loop, -O3 for this processor");
  variant.launch = SEXTANT_FLOAT_DOUBLE(heat3d::loop);
  return variant;
}

}  // namespace sextant
