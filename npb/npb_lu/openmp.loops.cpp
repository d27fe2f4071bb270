#include "pipelined.hpp"

namespace sextant {

Variant npb_lu_openmp_loops() {
  return npb_lu::panel_variant<npb_lu::Pipelined, 1>(
      "the plain loops with threads over rows, each waiting for the row before its own");
}

}  // namespace sextant
