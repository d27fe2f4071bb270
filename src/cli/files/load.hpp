// Results files as the subcommands that show them read them.
#pragma once

#include <string>

#include "record/results.hpp"

namespace sextant {

// What the file holds; what files of older versions lack is completed from this build's registry, here and
// nowhere else. Throws UserError as ResultsFile does.
Results load_results(const std::string& path);

// The same with call times as --data asks: "fresh", or "seen": those on inputs that variants had seen, of
// cases that have them.
Results load_results(const std::string& path, const std::string& data);

// The same as stored, nothing completed. Both say on standard error where somebody else is writing the file.
Results read_results(const std::string& path);

}  // namespace sextant
