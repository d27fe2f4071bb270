#include "packed_tiles.hpp"
#include "plain_rows.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_cg)() {
  return compiled_here({
      named("baseline", npb_cg::host_variant<npb_cg::PlainRows>(
                            "NPB's own form: a row's products one after the other, -O2")),
      named(
          "native",
          npb_cg::tile_variant(
              "entries of 8.5 bytes in tiles whose elements of p stay in the first cache, eight rows a vector, -O3")),
  });
}

}  // namespace sextant
