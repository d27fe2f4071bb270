// Where a subcommand's data goes: standard output or a file.
#pragma once

#include <string>

namespace sextant {

// To `path`, or to standard output if it is empty. A file comes to be whole or not at all; one that is a
// results file is never overwritten. Throws UserError: no such directory, no permission, no space.
void write_output(const std::string& text, const std::string& path);

// Over what a file holds, which stays that file: its links and its mode last. Throws UserError likewise.
void write_in_place(const std::string& text, const std::string& path);

// What was printed has reached standard output; else throws UserError.
void require_written_output();

}  // namespace sextant
