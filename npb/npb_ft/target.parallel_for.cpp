// OpenMP offload version of NAS FT: `target teams distribute parallel for` over butterflies of radix 2.
#define SEXTANT_FORM parallel_for_form
#define SEXTANT_TARGET target
#define SEXTANT_LOOP teams distribute parallel for

namespace sextant::npb_ft {
namespace {
constexpr int most_bits = 1;
}
}  // namespace sextant::npb_ft

#include "target_passes.hpp"

namespace sextant {

std::vector<Variant> npb_ft_target_parallel_for() {
  Variant variant = npb_ft::passes_variant(target::mapped_variant(
      "target teams distribute parallel for over the butterflies of a pass; radix 2; in place"));
  variant.name = "parallel_for";
  variant.launch = {.float64 = [](const Call& call) { npb_ft::Program(call, 0).run(); }};
  return {variant};
}

}  // namespace sextant
