// OpenMP offload version of NAS FT without a `parallel` directive: each team is one thread. Each of its SIMD
// lanes computes a butterfly of radix 8.
#define SEXTANT_FORM teams_simd_form
#define SEXTANT_TARGET target SEXTANT_ONE_WARP
#define SEXTANT_LOOP teams distribute SEXTANT_LANES num_teams(teams)

namespace sextant::npb_ft {
namespace {
constexpr int most_bits = 3;
}
}  // namespace sextant::npb_ft

#include "target_passes.hpp"

namespace sextant {

std::vector<Variant> npb_ft_target_teams_simd() {
  Variant variant = npb_ft::passes_variant(
      target::warps_variant("teams distribute simd over the butterflies of a pass; radix 8; in place"));
  variant.name = "teams_simd";
  variant.launch = {
      .float64 = [](const Call& call) { npb_ft::Program(call, call.tuned<target::Warps>().teams).run(); }};
  return {variant};
}

}  // namespace sextant
