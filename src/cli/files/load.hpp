// Loads results files for the subcommands that show them.
#pragma once

#include <string>

#include "record/results.hpp"

namespace sextant {

// Loads a file. Files of older versions lack some fields, which are filled in from this build's registry.
// Throws UserError if ResultsFile does.
Results load_results(const std::string& path);

// Loads a file with the call times that the option --data selects. "fresh" selects the default times. "seen"
// selects times on inputs that the variant has already processed. Cases without such times keep their default
// times.
Results load_results(const std::string& path, const std::string& data);

// Loads a file without filling in anything. All these functions print a message to standard error if another
// process is writing the file.
Results read_results(const std::string& path);

}  // namespace sextant
