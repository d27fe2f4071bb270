// Fields of comma-separated text.
#pragma once

#include <string>
#include <string_view>

namespace sextant {

// The text as a field: in quotes where it has commas, quotes or line breaks (RFC 4180).
std::string csv_field(std::string_view text);

}  // namespace sextant
