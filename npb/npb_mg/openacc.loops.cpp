// Plain OpenACC version of NAS MG: one loop over all points per operator, which loads all operands from
// memory.
#include "openacc_memory.hpp"

#define SEXTANT_FORM openacc_loops_form
namespace sextant::npb_mg {
namespace {
constexpr bool by_columns = false;
}
}  // namespace sextant::npb_mg

#include "offloaded.hpp"

namespace sextant {

std::vector<Variant> npb_mg_openacc_loops() {
  return {
      named("loops", npb_mg::operators_variant(MemorySpace::openacc,
                                               "one parallel loop per operator, over all points of a grid"))};
}

}  // namespace sextant
