#include "loop.hpp"

namespace sextant {

Variant nqueens_serial_native() {
  Variant variant;
  variant.description = "the plain recursion, -O3 for this processor";
  variant.launch.int32 = nqueens::loop;
  return variant;
}

}  // namespace sextant
