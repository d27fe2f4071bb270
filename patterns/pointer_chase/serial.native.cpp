#include "loop.hpp"

namespace sextant {

Variant pointer_chase_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch.int32 = pointer_chase::loop<std::int32_t>;
  return variant;
}

}  // namespace sextant
