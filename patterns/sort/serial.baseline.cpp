#include "plain.hpp"

namespace sextant {

Variant sort_serial_baseline() {
  Variant variant = sort::comparison_variant<false>("std::sort, -O2; pairs as one number of key and place");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(sort::by_standard_library);
  return variant;
}

}  // namespace sextant
