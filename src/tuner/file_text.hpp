// A file's text, unpacked where it is packed.
#pragma once

#include <string>

namespace sextant::tuner {

// Reads the file, and unpacks it if it is gzip's. Throws UserError: no such file, cannot be read, damaged,
// unpacks to more than 2 GiB, or packed where this build has no zlib.
std::string text_of_file(const std::string& path);

}  // namespace sextant::tuner
