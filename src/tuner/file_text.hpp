// Reads text files, which may be compressed.
#pragma once

#include <string>

namespace sextant::tuner {

// Reads the file and decompresses it if it is in gzip format. Throws UserError if the file is missing,
// unreadable or damaged, has more than 2 GiB of text, or is compressed and this build has no zlib.
std::string text_of_file(const std::string& path);

}  // namespace sextant::tuner
