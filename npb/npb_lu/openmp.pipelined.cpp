#include "pipelined.hpp"

namespace sextant {

Variant npb_lu_openmp_pipelined() {
  return npb_lu::panel_variant<npb_lu::Pipelined, npb::flow::wide>(
      "threads over panels, plane by plane, each waiting for the panel before its own");
}

}  // namespace sextant
