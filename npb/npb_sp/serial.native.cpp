#include "panels.hpp"

namespace sextant {

Variant npb_sp_serial_native() {
  return npb_sp::panel_variant<npb::flow::PlainLoop, 8>("panels of eight lines, vectors across lines");
}

}  // namespace sextant
