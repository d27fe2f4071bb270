#include "loop.hpp"

namespace sextant {

Variant floyd_warshall_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(floyd_warshall::loop);
  return variant;
}

}  // namespace sextant
