#include "panels.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_lu)() {
  return compiled_here({
      named("baseline",
            npb_lu::panel_variant<npb_lu::InOrder, 1>("the plain loops: a point after the other, -O2")),
      named("native",
            npb_lu::panel_variant<npb_lu::InOrder, npb::flow::wide>(
                "tiles of as many rows as a vector has doubles, each a point behind the row before")),
  });
}

}  // namespace sextant
