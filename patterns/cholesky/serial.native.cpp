#include "loop.hpp"

namespace sextant {

Variant cholesky_serial_native() {
  Variant variant;
  variant.description = "the plain loop, row by row, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(cholesky::loop);
  return variant;
}

}  // namespace sextant
