#include "workspace.hpp"

namespace sextant {

Variant tridiagonal_serial_native() {
  Variant variant =
      tridiagonal::host_variant<tridiagonal::one_system>("the plain loop, -O3 for this processor");
  variant.launch = SEXTANT_FLOAT_DOUBLE(tridiagonal::loop);
  return variant;
}

}  // namespace sextant
