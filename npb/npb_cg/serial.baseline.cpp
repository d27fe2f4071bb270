#include "plain_rows.hpp"

namespace sextant {

Variant npb_cg_serial_baseline() {
  return npb_cg::host_variant<npb_cg::PlainRows>("NPB's own form: a row's products one after the other, -O2");
}

}  // namespace sextant
