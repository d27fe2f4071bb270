#include "factors.hpp"

namespace sextant {

Variant fft1d_serial_baseline() {
  Variant variant = fft1d::host_variant<fft1d::nothing_further>("the plain loop, radix 2 in place, -O2");
  variant.launch = SEXTANT_FLOAT_DOUBLE(fft1d::loop);
  return variant;
}

}  // namespace sextant
