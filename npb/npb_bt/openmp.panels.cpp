#include "panels.hpp"

namespace sextant {

Variant npb_bt_openmp_panels() {
  return npb_bt::panel_variant<npb::flow::PlainLoop, npb::flow::wide>(
      "threads over panels of as many lines as a vector has doubles, vectors across lines");
}

}  // namespace sextant
