// What subcommands that measure say of themselves and of the file they write.
#pragma once

#include <string>

namespace sextant {

// This process's command line, as the shell would need it, with the variables that choose threads; without
// the argument `left_out`.
std::string command_line(const std::string& left_out = "");

// Throws UserError if `path` cannot be a results file: no name, a folder, or in a folder that is not there.
void require_writable_place(const std::string& path);

}  // namespace sextant
