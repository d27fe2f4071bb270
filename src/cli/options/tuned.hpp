// Implements -t tuned=FILE, which uses the best tunings of a results file instead of the defaults.
#pragma once

#include <string>
#include <vector>

#include "cli/options/selection.hpp"

namespace sextant {

// Removes `tuned=FILE` from the values of -t and returns FILE. Returns an empty text if there is no such
// value. Throws UserError if it occurs twice, or together with other tunings.
std::string take_tuned(SelectionOptions* options);

// Gives each case with tunables the best tuning that the file `path` has for it. That is the tuning for the
// case's problem, or for the nearest size of the same kernel, variant and type. `notes` lists the cases for
// which the file has no tuning that the variant allows.
void use_tuned(const std::string& path, std::vector<Case>* cases, std::vector<std::string>* notes);

}  // namespace sextant
