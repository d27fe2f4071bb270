#include "panels.hpp"
#include "toolbox/npb_flow/algorithms.hpp"

namespace sextant {

std::vector<Variant> npb_sp_stdpar() {
  return {named("panels", npb_sp::panel_variant<npb::flow::AlgorithmLoop, 8>(
                              "std::for_each over chunks of panels, each with its own buffer"))};
}

}  // namespace sextant
