// Tells which functions of a source fit a description.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "own/draft/signature.hpp"

namespace sextant::own {

constexpr std::size_t most_arrays = 16;  // of a description
constexpr const char* writes_nothing = "it writes none of its array parameters";

// Casts for integer arguments, by the type of the parameter. A 64-bit integer needs no cast.
const std::map<std::string, std::string>& whole_casts();

bool is_template_type(const Signature& function, const std::string& type);
// Returns true if the elements of arrays of this template type are used as indices or row offsets.
bool is_index_type(const Signature& function, const std::string& type);
bool is_t(const Signature& function, const std::string& type);  // true for types that T stands for

// Returns the reason why a description cannot contain the function, or an empty text.
std::string why_unfit(const Signature& function);

}  // namespace sextant::own
