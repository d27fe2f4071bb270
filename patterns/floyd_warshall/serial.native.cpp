#include "loop.hpp"

namespace sextant {

Variant floyd_warshall_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(floyd_warshall::loop);
  return variant;
}

}  // namespace sextant
