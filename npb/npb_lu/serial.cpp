#include "panels.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_lu)() {
  return compiled_here({
      named("baseline",
            npb_lu::panel_variant<npb_lu::InOrder, 1>("the plain loops, one point after another, -O2")),
      named("native", npb_lu::panel_variant<npb_lu::InOrder, npb::flow::wide>(
                          "tiles of rows, one row per SIMD lane; each row is one point behind the previous")),
  });
}

}  // namespace sextant
