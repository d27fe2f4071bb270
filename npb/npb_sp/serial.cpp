#include "panels.hpp"
#include "plain_lines.hpp"
#include "suite/compilation.hpp"

namespace sextant {

std::vector<Variant> SEXTANT_SERIAL(npb_sp)() {
  return compiled_here({
      named("baseline", npb::flow::panel_variant<npb_sp::PlainLines, npb::flow::PlainLoop, 1>(
                            "the plain loops, one point or line after another, -O2")),
      named("native",
            npb_sp::panel_variant<npb::flow::PlainLoop, 8>("panels of eight lines, one line per SIMD lane")),
  });
}

}  // namespace sextant
