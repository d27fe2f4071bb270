#include "panels.hpp"

namespace sextant {

std::vector<Variant> npb_ft_openmp() {
  Variant variant = npb_ft::panel_variant();
  variant.name = "panels";
  variant.description =
      "threads over panels of lines; one read and write per dimension; radix 8; SIMD across lines";
  return {variant};
}

}  // namespace sextant
