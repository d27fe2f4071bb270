// The texts behind tunables whose choices are not numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sextant {

// Maps a variant's name and a tunable's name to the texts of its choices. Choice i (0, 1, …) stands for the
// i-th text. A tunable whose choices are numbers has no entry.
using ChoiceTexts = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

}  // namespace sextant
