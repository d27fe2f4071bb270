#include "loop.hpp"

namespace sextant {

Variant sha256_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch.int32 = sha256::loop;
  return variant;
}

}  // namespace sextant
