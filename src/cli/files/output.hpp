// Writes a subcommand's output to standard output or a file.
#pragma once

#include <string>

namespace sextant {

// Writes to `path`, or to standard output if `path` is empty. An existing file is replaced only after all
// text has been written. A results file is never overwritten. Throws UserError if the folder does not exist,
// or if permission or space is missing.
void write_output(const std::string& text, const std::string& path);

// Overwrites the contents of a file, and keeps its links and its mode. Throws UserError like write_output.
void write_in_place(const std::string& text, const std::string& path);

// Flushes standard output. Throws UserError if writing failed.
void require_written_output();

}  // namespace sextant
