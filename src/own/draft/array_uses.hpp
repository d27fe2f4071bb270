// What a body says of a function's arrays, and of a kernel's launch.
#pragma once

#include <vector>

#include "own/draft/node.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

// `places`: where the parameters are declared, in their order. Sets what is read and written, lengths from
// the indices used, and axes. Numbers count as at least 0, and a condition on a variable as holding wherever
// it indexes.
void read_uses(const Node& body, const std::vector<unsigned>& places, Signature* function);

}  // namespace sextant::own
