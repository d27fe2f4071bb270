#include "plain.hpp"
#include "tiles.hpp"

namespace sextant {

std::vector<Variant> npb_mg_openmp() {
  return {
      named("loops",
            npb_mg::plain_variant(
                "NPB's own structure with threads over planes: one operator after another, adjacent rows "
                "added first")),
      named("tiles",
            npb_mg::tiles_variant<npb_mg::OnThreads>(
                "two fused sweeps per level and cycle; threads over tiles of rows that stay in the caches")),
  };
}

}  // namespace sextant
