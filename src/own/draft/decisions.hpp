// Finds results that comparisons or conversions of computed real numbers decide. A rounding may turn these.
#pragma once

#include <vector>

#include "own/draft/helpers.hpp"
#include "own/draft/node.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

// Sets Parameter::decided of the function's arrays, and Signature::decides. Elements of arrays and parameters
// are no computed numbers: variants get them without rounding. `places` are the source offsets of the
// declarations of the parameters.
void read_decisions(const Node& body, const std::vector<unsigned>& places, const Helpers& helpers,
                    Signature* function);

}  // namespace sextant::own
