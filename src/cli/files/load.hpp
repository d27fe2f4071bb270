// Loads results files for the subcommands that show them.
#pragma once

#include <string>

#include "record/results.hpp"

namespace sextant {

// Loads a file. Fields that files of older versions lack are completed from this build's registry. Throws
// UserError like ResultsFile.
Results load_results(const std::string& path);

// Loads a file with the call times that --data selects. The value "fresh" selects the default times. The
// value "seen" selects times on inputs that the variant has processed before, for cases that have them.
Results load_results(const std::string& path, const std::string& data);

// Loads a file without completing anything. All these functions report on standard error if another process
// is writing the file.
Results read_results(const std::string& path);

}  // namespace sextant
