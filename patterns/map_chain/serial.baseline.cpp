#include "loop.hpp"

namespace sextant {

Variant map_chain_serial_baseline() {
  Variant variant;
  variant.description = "the plain loops, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(map_chain::loop);
  return variant;
}

}  // namespace sextant
