#include "loop.hpp"

namespace sextant {

Variant matvec_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {.float32 = matvec::loop<float>, .float64 = matvec::loop<double>};
  return variant;
}

}  // namespace sextant
