// Reads text files, plain or gzip-compressed.
#pragma once

#include <string>

namespace sextant::tuner {

// Returns the text of the file, decompressed if it is in gzip format. Throws UserError if the file is
// unreadable or damaged, or if its text exceeds 2 GiB. Decompression needs a build with zlib.
std::string text_of_file(const std::string& path);

}  // namespace sextant::tuner
