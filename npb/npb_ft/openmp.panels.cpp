#include "panels.hpp"

namespace sextant {

Variant npb_ft_openmp_panels() {
  Variant variant = npb_ft::panel_variant();
  variant.description =
      "threads over panels of lines, one read and write a dimension, radix 8, SIMD across lines";
  return variant;
}

}  // namespace sextant
