#include "loop.hpp"

namespace sextant {

Variant all_reduce_serial_baseline() {
  Variant variant;
  variant.description = "one part by itself, which has the sum already: a copy, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(all_reduce::loop);
  return variant;
}

}  // namespace sextant
