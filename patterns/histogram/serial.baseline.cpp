#include "loop.hpp"

namespace sextant {

Variant histogram_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2";
  variant.launch.int32 = histogram::loop<std::int32_t>;
  return variant;
}

}  // namespace sextant
