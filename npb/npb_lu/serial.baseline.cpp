#include "panels.hpp"

namespace sextant {

Variant npb_lu_serial_baseline() {
  return npb_lu::panel_variant<npb_lu::InOrder, 1>("the plain loops: a point after the other, -O2");
}

}  // namespace sextant
