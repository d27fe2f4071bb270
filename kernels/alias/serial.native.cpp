#include "loop.hpp"

namespace sextant {

Variant alias_serial_native() {
  Variant variant;
  variant.description = "the plain loop, -O3 for this processor";
  variant.launch = {
      .float32 = alias::loop<float>, .float64 = alias::loop<double>, .int32 = alias::loop<std::int32_t>};
  return variant;
}

}  // namespace sextant
