#include "panels.hpp"

namespace sextant {

Variant npb_sp_openmp_loops() {
  return npb_sp::panel_variant<npb::flow::PlainLoop, 1>("the plain loops with threads over rows and lines");
}

}  // namespace sextant
