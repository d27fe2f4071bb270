// Provides the command line and the check of the output file for subcommands that measure.
#pragma once

#include <string>

namespace sextant {

// Returns this process's command line, quoted for the shell, with the variables that set thread counts. The
// argument `left_out` is omitted.
std::string command_line(const std::string& left_out = "");

// Throws UserError if `path` cannot be a results file: it is empty, a folder, or in a missing folder.
void require_writable_place(const std::string& path);

}  // namespace sextant
