#include "packed_tiles.hpp"
#include "plain_rows.hpp"
#include "short_columns.hpp"

namespace sextant {

std::vector<Variant> npb_cg_openmp() {
  return {
      named("loops", npb_cg::host_variant<npb_cg::PlainRows>(
                         "NPB's own form with threads: compressed sparse rows, one product after another")),
      named("rows",
            npb_cg::host_variant<npb_cg::ShortColumns>(
                "threads with equal numbers of nonzeros, in one parallel region; 16-bit columns; SIMD")),
      named("tiles", npb_cg::tile_variant(
                         "threads over rows; nonzeros in 8.5 bytes, in tiles whose elements of p fit in L1")),
  };
}

}  // namespace sextant
