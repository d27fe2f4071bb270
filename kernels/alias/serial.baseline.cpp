#include "loop.hpp"

namespace sextant {

Variant alias_serial_baseline() {
  Variant variant;
  variant.description = "the plain loop, -O2: the study's baseline";
  variant.launch = {
      .float32 = alias::loop<float>, .float64 = alias::loop<double>, .int32 = alias::loop<std::int32_t>};
  return variant;
}

}  // namespace sextant
