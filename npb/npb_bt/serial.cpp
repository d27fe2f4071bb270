#include "panels.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_bt)() {
  return compiled_here({
      named("baseline", npb_bt::panel_variant<npb::flow::PlainLoop, 1>(
                            "the plain loops, one point or line after another, -O2")),
      named("native", npb_bt::panel_variant<npb::flow::PlainLoop, npb::flow::wide>(
                          "panels of lines, one line per SIMD lane")),
  });
}

}  // namespace sextant
