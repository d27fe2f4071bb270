#include "panels.hpp"

namespace sextant {

Variant npb_bt_serial_native() {
  return npb_bt::panel_variant<npb::flow::PlainLoop, npb::flow::wide>(
      "panels of as many lines as a vector has doubles, vectors across lines");
}

}  // namespace sextant
