#include "plain.hpp"

namespace sextant {

Variant sort_serial_native() {
  Variant variant = sort::comparison_variant<false>("std::sort, -O3 for this processor; pairs as one number");
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(sort::by_standard_library);
  return variant;
}

}  // namespace sextant
