// OpenMP offload version of NAS MG: each team is one thread, and each of its SIMD lanes processes a column of
// points with nine loads per point.
#include "target_memory.hpp"

#define SEXTANT_LOOP(...)                                            \
  SEXTANT_REGION(target SEXTANT_ONE_WARP is_device_ptr(__VA_ARGS__)) \
  SEXTANT_REGION(teams distribute SEXTANT_LANES num_teams(1024))
#define SEXTANT_FORM target_columns_form
namespace sextant::npb_mg {
namespace {
constexpr bool by_columns = true;
}
}  // namespace sextant::npb_mg

#include "offloaded.hpp"

namespace sextant {

std::vector<Variant> npb_mg_target_columns() {
  return {named("columns",
                npb_mg::operators_variant(
                    MemorySpace::target,
                    "teams distribute simd over columns that march along z; one region per operator"))};
}

}  // namespace sextant
