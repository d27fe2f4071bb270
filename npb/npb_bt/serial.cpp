#include "panels.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_bt)() {
  return compiled_here({
      named("baseline", npb_bt::panel_variant<npb::flow::PlainLoop, 1>(
                            "the plain loops: a point, a line after the other, -O2")),
      named("native", npb_bt::panel_variant<npb::flow::PlainLoop, npb::flow::wide>(
                          "panels of as many lines as a vector has doubles, vectors across lines")),
  });
}

}  // namespace sextant
