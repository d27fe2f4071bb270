#include "loop.hpp"

namespace sextant {

Variant all_to_all_serial_baseline() {
  Variant variant;
  variant.description = "one part by itself, which has but its own piece: a copy, -O2";
  variant.launch = SEXTANT_FLOAT_DOUBLE(all_to_all::loop);
  return variant;
}

}  // namespace sextant
