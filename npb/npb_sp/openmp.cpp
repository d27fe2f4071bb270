#include "panels.hpp"
#include "plain_lines.hpp"

namespace sextant {

std::vector<Variant> npb_sp_openmp() {
  return {
      named("loops", npb::flow::panel_variant<npb_sp::PlainLines, npb::flow::PlainLoop, 1>(
                         "the plain loops with threads over rows and lines")),
      named("panels", npb_sp::panel_variant<npb::flow::PlainLoop, 8>(
                          "threads over panels of eight lines, one line per SIMD lane")),
  };
}

}  // namespace sextant
