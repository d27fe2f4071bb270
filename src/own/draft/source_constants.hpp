// Finds the values of constants in a source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sextant::own {

// Returns the value of a number, of true or false, or of a constant or macro of the source.
std::optional<std::int64_t> constant_in(const std::string& source, const std::string& given);

}  // namespace sextant::own
