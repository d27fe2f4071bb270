#include "panels.hpp"

namespace sextant {

std::vector<Variant> npb_bt_openmp() {
  return {
      named("loops", npb_bt::panel_variant<npb::flow::PlainLoop, 1>(
                         "the plain loops with threads over rows and lines")),
      named("panels", npb_bt::panel_variant<npb::flow::PlainLoop, npb::flow::wide>(
                          "threads over panels of lines, one line per SIMD lane")),
  };
}

}  // namespace sextant
