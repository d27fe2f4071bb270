// -t tuned=FILE: the best tunings of a results file in place of the defaults.
#pragma once

#include <string>
#include <vector>

#include "cli/options/selection.hpp"

namespace sextant {

// Takes `tuned=FILE` out of what was typed for -t and returns FILE; empty if it is not there. Throws
// UserError if it is there twice, or beside other tunings.
std::string take_tuned(SelectionOptions* options);

// Gives each case with tunables the best tuning that `path` has for its problem, or for the nearest size of
// its kernel, variant and type; *notes says where it has none that the variant admits.
void use_tuned(const std::string& path, std::vector<Case>* cases, std::vector<std::string>* notes);

}  // namespace sextant
