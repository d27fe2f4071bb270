// Finds which values of array elements matter to a function.
#pragma once

#include <vector>

#include "own/draft/helpers.hpp"
#include "own/draft/node.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

// Records for each array parameter how the body uses the values of its elements. `places` are the source
// offsets of the parameters' declarations.
void read_element_values(const Node& body, const std::vector<unsigned>& places, const Helpers& helpers,
                         Signature* function);

}  // namespace sextant::own
