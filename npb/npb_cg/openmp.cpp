#include "packed_tiles.hpp"
#include "plain_rows.hpp"
#include "short_columns.hpp"

namespace sextant {

std::vector<Variant> npb_cg_openmp() {
  return {
      named("loops",
            npb_cg::host_variant<npb_cg::PlainRows>(
                "NPB's own form with threads: equal shares of rows, a row's products one after the other")),
      named("rows", npb_cg::host_variant<npb_cg::ShortColumns>(
                        "threads with equal shares of entries in one region, columns of 16 bits, SIMD")),
      named(
          "tiles",
          npb_cg::tile_variant(
              "threads over rows, entries of 8.5 bytes in tiles whose elements of p stay in the first cache, two waits a step")),
  };
}

}  // namespace sextant
