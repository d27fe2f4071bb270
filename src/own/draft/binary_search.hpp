// Detects a binary search in a loop's body.
#pragma once

#include "own/draft/node.hpp"

namespace sextant::own {

// Returns true if the variable occurs in the node.
bool mentions(const Node& node, unsigned declared);

// Returns the declaration of the variable that a binary search sets to the middle of the searched part, and
// to which it moves an end of this part. Returns 0 if the body is no binary search.
unsigned middle_of_search(const Node& body);

}  // namespace sextant::own
