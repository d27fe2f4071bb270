#include "loop.hpp"

namespace sextant {

Variant sha256_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch.int32 = sha256::loop;
  return variant;
}

}  // namespace sextant
