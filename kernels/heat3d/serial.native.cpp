#include "host.hpp"

namespace sextant {

Variant heat3d_serial_native() {
  Variant variant = heat3d::host_variant("the plain loop, -O3 for this processor");
  variant.launch = {.float32 = heat3d::loop<float>, .float64 = heat3d::loop<double>};
  return variant;
}

}  // namespace sextant
