#include "loop.hpp"

namespace sextant {

Variant cholesky_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, row by row, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(cholesky::loop);
  return variant;
}

}  // namespace sextant
