#include "loop.hpp"

namespace sextant {

Variant map_chain_serial_native() {
  Variant variant;
  variant.description = "the plain loops, -O3 for this processor";
  variant.launch = SEXTANT_FLOAT_DOUBLE(map_chain::loop);
  return variant;
}

}  // namespace sextant
