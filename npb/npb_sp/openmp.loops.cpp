#include "plain_lines.hpp"

namespace sextant {

Variant npb_sp_openmp_loops() {
  return npb::flow::panel_variant<npb_sp::PlainLines, npb::flow::PlainLoop, 1>(
      "the plain loops with threads over rows and lines");
}

}  // namespace sextant
