#include "loop.hpp"

namespace sextant {

Variant nqueens_serial_baseline() {
  Variant variant;
  variant.description = "the plain recursion, -O2";
  variant.launch.int32 = nqueens::loop;
  return variant;
}

}  // namespace sextant
