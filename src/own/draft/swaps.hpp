// Finds variables that a loop swaps, by a function of that name or by three assignments.
#pragma once

#include <utility>

#include "own/draft/node.hpp"

namespace sextant::own {

// Returns the declaration of the first variable in an argument such as `x`, `x.data()` or `&x[0]`; 0 if there
// is none.
unsigned variable_in(const Node& node);

// Returns the declarations of two variables that a loop's body swaps; zeros if there are none.
std::pair<unsigned, unsigned> swapped_in(const Node& body);

}  // namespace sextant::own
