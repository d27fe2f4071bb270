#include "packed_tiles.hpp"

namespace sextant {

Variant npb_cg_openmp_tiles() {
  return npb_cg::tile_variant(
      "threads over rows, entries of 8.5 bytes in tiles whose elements of p stay in the first cache, two waits a step");
}

}  // namespace sextant
