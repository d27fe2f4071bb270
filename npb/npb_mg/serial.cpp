#include "plain.hpp"
#include "suite/compilation.hpp"
#include "tiles.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_mg)() {
  return compiled_here({
      named("baseline",
            npb_mg::plain_variant(
                "the benchmark's own structure: an operator after the other, rows added up first, -O2")),
      named("native",
            npb_mg::tiles_variant<npb_mg::OnThreads>(
                "two sweeps a level and cycle, through tiles of rows whose planes stay in the caches")),
  });
}

}  // namespace sextant
