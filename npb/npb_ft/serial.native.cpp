#include "panels.hpp"

namespace sextant {

Variant npb_ft_serial_native() {
  Variant variant = npb_ft::panel_variant();
  variant.description = "one read and write a dimension: panels of lines, radix 8, SIMD across lines";
  return variant;
}

}  // namespace sextant
