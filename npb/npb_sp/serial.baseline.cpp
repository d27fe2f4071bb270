#include "panels.hpp"

namespace sextant {

Variant npb_sp_serial_baseline() {
  return npb_sp::panel_variant<npb::flow::PlainLoop, 1>(
      "the plain loops: a point, a line after the other, -O2");
}

}  // namespace sextant
