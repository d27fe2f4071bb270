// Evaluates lists of values in Python syntax, as in T1 files.
#pragma once

#include <string>
#include <vector>

#include "own/description/tree.hpp"

namespace sextant::own {

// Returns the values of [16, 32], [16 * i for i in range(1, 9) if i != 3], [1] + list(range(32, 1025, 32))
// and similar lists. `what` and `place` are for messages. Throws UserError for unsupported forms and for more
// than 4096 values.
std::vector<Value> python_values(const std::string& text, const std::string& what, const Place& place);

}  // namespace sextant::own
