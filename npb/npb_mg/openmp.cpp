#include "plain.hpp"
#include "tiles.hpp"

namespace sextant {

std::vector<Variant> npb_mg_openmp() {
  return {
      named(
          "loops",
          npb_mg::plain_variant(
              "the benchmark's own structure with threads over planes: an operator after the other, rows added up first")),
      named("tiles",
            npb_mg::tiles_variant<npb_mg::OnThreads>(
                "two sweeps a level and cycle, threads over tiles of rows whose planes stay in the caches")),
  };
}

}  // namespace sextant
