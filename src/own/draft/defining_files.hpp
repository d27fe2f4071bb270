// Finds the files that define names which a source uses but does not include.
#pragma once

#include <string>
#include <vector>

namespace sextant::own {

// Returns the headers and C files in the source's folder and in its parent folder.
std::vector<std::string> files_around(const std::string& file);

// Returns the first of the files that defines the type, or an empty text.
std::string file_that_defines(const std::string& name, const std::vector<std::string>& files);

// Returns the CUDA file next to the source that defines a device function, or an empty text. A file with a
// main function, or one that includes the source, is none.
std::string file_with_function(const std::string& name, const std::string& file);

}  // namespace sextant::own
