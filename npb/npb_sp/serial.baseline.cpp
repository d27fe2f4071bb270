#include "plain_lines.hpp"

namespace sextant {

Variant npb_sp_serial_baseline() {
  return npb::flow::panel_variant<npb_sp::PlainLines, npb::flow::PlainLoop, 1>(
      "the plain loops: a point, a line after the other, -O2");
}

}  // namespace sextant
