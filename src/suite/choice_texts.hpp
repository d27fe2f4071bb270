// What tunables that are no numbers stand for.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sextant {

// By variant and tunable: the texts that its choices, 0, 1, … up to the last place, stand for. Tunables of
// numbers have none.
using ChoiceTexts = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

}  // namespace sextant
