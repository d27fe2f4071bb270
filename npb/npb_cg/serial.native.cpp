#include "packed_tiles.hpp"

namespace sextant {

Variant npb_cg_serial_native() {
  return npb_cg::tile_variant(
      "entries of 8.5 bytes in tiles whose elements of p stay in the first cache, eight rows a vector, -O3");
}

}  // namespace sextant
