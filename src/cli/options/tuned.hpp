// -t tuned=FILE: uses the best tunings of a results file instead of the defaults.
#pragma once

#include <string>
#include <vector>

#include "cli/options/selection.hpp"

namespace sextant {

// Removes `tuned=FILE` from the values of -t and returns FILE, or an empty text if it is absent. Throws
// UserError if it occurs twice or next to other tunings.
std::string take_tuned(SelectionOptions* options);

// Gives each case with tunables the best tuning in `path`. The tuning is that of the case's problem, or of
// the nearest size of its kernel, variant and type. The `notes` list cases without a tuning that the variant
// admits.
void use_tuned(const std::string& path, std::vector<Case>* cases, std::vector<std::string>* notes);

}  // namespace sextant
