// Provides this process's command line, and checks the output file, for subcommands that measure.
#pragma once

#include <string>

namespace sextant {

// Returns this process's command line, quoted for the shell. It starts with the environment variables that
// set thread counts. The argument `left_out` is omitted.
std::string command_line(const std::string& left_out = "");

// Throws UserError if `path` cannot be a results file, because it is empty, a folder, or in a folder that
// does not exist.
void require_writable_place(const std::string& path);

}  // namespace sextant
