#include "packed_tiles.hpp"
#include "plain_rows.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_cg)() {
  return compiled_here({
      named("baseline", npb_cg::host_variant<npb_cg::PlainRows>(
                            "NPB's own form: compressed sparse rows, one product after another, -O2")),
      named("native",
            npb_cg::tile_variant(
                "nonzeros in 8.5 bytes, in tiles whose elements of p fit in L1; eight rows per vector, -O3")),
  });
}

}  // namespace sextant
