// Types of arrays as descriptions and functions name them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "suite/problem.hpp"

namespace sextant::own {

// float4 is four members of float; all other types have one.
struct ArrayType {
  ElementType element = ElementType::float32;
  int members = 1;
  std::string cpp;  // as C++ writes it: "std::uint8_t", "float4"
};

// "float", "uint8", "unsigned char", "int64_t", "float4", "complex<float>", …; empty: no type of arrays.
std::optional<ArrayType> array_type_named(const std::string& name);

// What a message lists.
std::string array_type_names();

// Definitions that the host's compiler needs of these types where the source has none: 16-bit floats and
// CUDA's structs.
std::string host_definitions(const std::vector<ArrayType>& types, const std::string& source);

}  // namespace sextant::own
