#include "panels.hpp"

namespace sextant {

Variant npb_lu_openmp_wavefronts() {
  return npb_lu::panel_variant<npb_lu::Wavefronts<npb::flow::PlainLoop>, npb::flow::wide>(
      "threads over the tiles whose number of panel and of plane have one sum, then the next sum");
}

}  // namespace sextant
