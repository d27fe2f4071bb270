// One column of points per iteration: nine loads per point, where a 27-point sum has up to 21 terms.
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
                    "a parallel loop an operator, whose iterations march along z with sums of planes"))};
}

}  // namespace sextant
