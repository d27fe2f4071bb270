#include "workspace.hpp"

namespace sextant {

Variant tridiagonal_serial_baseline() {
  Variant variant = tridiagonal::host_variant<tridiagonal::one_system>("the plain loop, -O2");
  variant.launch = SEXTANT_FLOAT_DOUBLE(tridiagonal::loop);
  return variant;
}

}  // namespace sextant
