#include "panels.hpp"

namespace sextant {

Variant npb_bt_openmp_loops() {
  return npb_bt::panel_variant<npb::flow::PlainLoop, 1>("the plain loops with threads over rows and lines");
}

}  // namespace sextant
