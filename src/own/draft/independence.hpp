// Whether the iterations of a function's loop are independent, as far as it is plain from its words.
#pragma once

#include <vector>

#include "own/draft/signature.hpp"
#include "own/draft/tokens.hpp"

namespace sextant::own {

// `body`: from a function's opening bracket to its closing one. Arrays of the parameters do not overlap, as
// Sextant hands them over. Independent is a loop that counts up and whose every iteration writes variables of
// its own and elements of its own: those at the loop's variable i, or at i * w + x where x counts from 0 to
// w. Anything that is not understood counts as a dependence.
Loop outermost_loop(const Tokens& body, const std::vector<Parameter>& parameters);

}  // namespace sextant::own
