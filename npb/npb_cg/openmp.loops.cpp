#include "plain_rows.hpp"

namespace sextant {

Variant npb_cg_openmp_loops() {
  return npb_cg::host_variant<npb_cg::PlainRows>(
      "NPB's own form with threads: equal shares of rows, a row's products one after the other");
}

}  // namespace sextant
