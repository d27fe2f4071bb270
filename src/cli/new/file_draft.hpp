// Adds a drafted description to a user's source file.
#pragma once

#include <string>

namespace sextant {

// Writes a description of the file's functions at its begin, and a directive before loops for the OpenMP
// variant. Says on stderr what it did and what is left to do. Throws UserError if the file cannot be read or
// described.
void describe_file(const std::string& file);

}  // namespace sextant
