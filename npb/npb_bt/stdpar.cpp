#include "panels.hpp"
#include "toolbox/npb_flow/algorithms.hpp"

namespace sextant {

std::vector<Variant> npb_bt_stdpar() {
  return {named("panels", npb_bt::panel_variant<npb::flow::AlgorithmLoop, npb::flow::wide>(
                              "std::for_each over chunks of panels, each with its own buffer"))};
}

}  // namespace sextant
