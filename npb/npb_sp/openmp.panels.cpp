#include "panels.hpp"

namespace sextant {

Variant npb_sp_openmp_panels() {
  return npb_sp::panel_variant<npb::flow::PlainLoop, 8>(
      "threads over panels of eight lines, vectors across lines");
}

}  // namespace sextant
