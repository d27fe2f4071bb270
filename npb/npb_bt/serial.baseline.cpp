#include "panels.hpp"

namespace sextant {

Variant npb_bt_serial_baseline() {
  return npb_bt::panel_variant<npb::flow::PlainLoop, 1>(
      "the plain loops: a point, a line after the other, -O2");
}

}  // namespace sextant
