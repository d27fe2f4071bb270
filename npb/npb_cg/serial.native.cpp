#include "short_columns.hpp"

namespace sextant {

Variant npb_cg_serial_native() {
  return npb_cg::host_variant<npb_cg::ShortColumns>("columns of 16 bits, vectors of gathered elements, -O3");
}

}  // namespace sextant
