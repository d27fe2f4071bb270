// Checksums of the data set's files, in the format of `sha256sum`.
#pragma once

#include <string>
#include <string_view>

namespace sextant::predict {

// Returns the SHA-256 hash (FIPS 180-4) as 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace sextant::predict
