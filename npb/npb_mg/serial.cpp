#include "plain.hpp"
#include "suite/compilation.hpp"
#include "tiles.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_mg)() {
  return compiled_here({
      named("baseline",
            npb_mg::plain_variant(
                "NPB's own structure: one operator after another, adjacent rows added first, -O2")),
      named("native",
            npb_mg::tiles_variant<npb_mg::OnThreads>(
                "two fused sweeps per level and cycle, through tiles of rows that stay in the caches")),
  });
}

}  // namespace sextant
