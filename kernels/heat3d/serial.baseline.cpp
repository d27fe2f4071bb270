// The reference loop of loop.hpp as it stands, one thread, compiled with -O2: what others are compared with.
// Each step reads one array and writes the other; neighbours come from whatever cache has them.
#include "host.hpp"

namespace sextant {

Variant heat3d_serial_baseline() {
  Variant variant = heat3d::host_variant("the plain loop, -O2");
  variant.launch = SEXTANT_FLOAT_DOUBLE(heat3d::loop);
  return variant;
}

}  // namespace sextant
