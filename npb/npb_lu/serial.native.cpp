#include "panels.hpp"

namespace sextant {

Variant npb_lu_serial_native() {
  return npb_lu::panel_variant<npb_lu::InOrder, npb::flow::wide>(
      "tiles of as many rows as a vector has doubles, each a point behind the row before");
}

}  // namespace sextant
