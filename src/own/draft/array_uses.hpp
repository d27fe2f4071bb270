// Determines from a function's body how it uses its arrays, and how a kernel is launched.
#pragma once

#include <vector>

#include "own/draft/helpers.hpp"
#include "own/draft/node.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

// Sets for each array parameter whether it is read or written. Sets its length, which follows from the
// indices, and the launch axes. `places` are the source offsets of the declarations of the parameters, then
// of the template parameters, in order. The function assumes that numbers are not negative. It also assumes
// that a condition on a variable holds wherever the variable is used as an index. Calls of `helpers` use the
// arrays as these functions do.
void read_uses(const Node& body, const std::vector<unsigned>& places, const Helpers& helpers,
               Signature* function);

}  // namespace sextant::own
