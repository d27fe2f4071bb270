// Variant openacc.columns: one column of points per iteration. It loads nine elements per point, although a
// stencil has up to 21 terms.
#include "openacc_memory.hpp"

#define SEXTANT_FORM openacc_columns_form
namespace sextant::npb_mg {
namespace {
constexpr bool by_columns = true;
}
}  // namespace sextant::npb_mg

#include "offloaded.hpp"

namespace sextant {

std::vector<Variant> npb_mg_openacc_columns() {
  return {named("columns",
                npb_mg::operators_variant(
                    MemorySpace::openacc,
                    "one parallel loop per operator; iterations march along z and reuse each plane's sums"))};
}

}  // namespace sextant
