#include "short_columns.hpp"

namespace sextant {

Variant npb_cg_openmp_rows() {
  return npb_cg::host_variant<npb_cg::ShortColumns>(
      "threads with equal shares of entries in one region, columns of 16 bits, SIMD");
}

}  // namespace sextant
