// Plain OpenMP offload version of NAS MG: one loop over all points per operator, which loads all operands
// from memory.
#include "target_memory.hpp"

#define SEXTANT_LOOP(...) SEXTANT_REGION(target teams distribute parallel for is_device_ptr(__VA_ARGS__))
#define SEXTANT_FORM target_parallel_for_form
namespace sextant::npb_mg {
namespace {
constexpr bool by_columns = false;
}
}  // namespace sextant::npb_mg

#include "offloaded.hpp"

namespace sextant {

std::vector<Variant> npb_mg_target_parallel_for() {
  return {named("parallel_for",
                npb_mg::operators_variant(
                    MemorySpace::target,
                    "teams distribute parallel for over all points of a grid; one region per operator"))};
}

}  // namespace sextant
