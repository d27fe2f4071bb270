#include "tiles.hpp"

namespace sextant {

Variant npb_mg_serial_native() {
  return npb_mg::tiles_variant<npb_mg::OnThreads>(
      "two sweeps a level and cycle, through tiles of rows whose planes stay in the caches");
}

}  // namespace sextant
