// Lists of values as Python writes them, which T1 files hold.
#pragma once

#include <string>
#include <vector>

#include "own/description/tree.hpp"

namespace sextant::own {

// The values of [16, 32], [16 * i for i in range(1, 9) if i != 3], [1] + list(range(32, 1025, 32)) and their
// like; `what` and `place` are for messages. Throws UserError for other forms, and for more than 4096 values.
std::vector<Value> python_values(const std::string& text, const std::string& what, const Place& place);

}  // namespace sextant::own
