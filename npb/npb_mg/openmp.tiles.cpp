#include "tiles.hpp"

namespace sextant {

Variant npb_mg_openmp_tiles() {
  return npb_mg::tiles_variant<npb_mg::OnThreads>(
      "two sweeps a level and cycle, threads over tiles of rows whose planes stay in the caches");
}

}  // namespace sextant
