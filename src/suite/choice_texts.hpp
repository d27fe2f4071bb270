// The texts of tunables whose choices are not numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sextant {

// Maps variant and tunable to the texts of the tunable's choices. Choice i (0, 1, …) is the i-th text. A
// tunable whose choices are numbers has no entry.
using ChoiceTexts = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

}  // namespace sextant
