#include "panels.hpp"
#include "toolbox/npb_flow/algorithms.hpp"

namespace sextant {

std::vector<Variant> npb_lu_stdpar() {
  return {
      named("wavefronts",
            npb_lu::panel_variant<npb_lu::Wavefronts<npb::flow::AlgorithmLoop>, npb::flow::wide>(
                "std::for_each over the tiles of one anti-diagonal (panel + layer), then over the next"))};
}

}  // namespace sextant
