#include "plain.hpp"

namespace sextant {

Variant npb_mg_openmp_loops() {
  return npb_mg::plain_variant(
      "the benchmark's own structure with threads over planes: an operator after the other, rows added up first");
}

}  // namespace sextant
