// Reads text files, which may be compressed.
#pragma once

#include <string>

namespace sextant::tuner {

// Reads the file and decompresses it if it is in gzip format. Throws UserError if the file is missing,
// unreadable or damaged, or if its text exceeds 2 GiB. Compressed files also need a build with zlib.
std::string text_of_file(const std::string& path);

}  // namespace sextant::tuner
