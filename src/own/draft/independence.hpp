// Checks conservatively whether the iterations of a function's loop are independent.
#pragma once

#include <vector>

#include "own/draft/signature.hpp"
#include "own/draft/tokens.hpp"

namespace sextant::own {

// Analyses the single outermost loop of a function. `body` holds the tokens between the function's braces,
// inclusive. Array parameters are assumed not to overlap, as Sextant guarantees. A loop is independent if it
// counts up and every iteration writes only its own variables and elements. With i as the loop variable,
// these elements have the index i, or i * w + x with 0 <= x < w. Code that the analysis does not understand
// counts as a dependence.
Loop outermost_loop(const Tokens& body, const std::vector<Parameter>& parameters);

}  // namespace sextant::own
