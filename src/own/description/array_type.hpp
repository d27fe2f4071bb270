// The array element types that descriptions and C++ signatures can name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "suite/problem.hpp"

namespace sextant::own {

// An array element type: a scalar (one member) or a vector type, such as float4 with four members of type
// float.
struct ArrayType {
  ElementType element = ElementType::float32;
  int members = 1;
  std::string cpp;  // the C++ type: "std::uint8_t", "float4"
};

// Returns the type with this name: "float", "uint8", "unsigned char", "int64_t", "float4", "complex<float>",
// … Empty if it is not an array element type.
std::optional<ArrayType> array_type_named(const std::string& name);

// Returns the supported names for error messages.
std::string array_type_names();

// Returns the definitions that the host compiler needs for these types unless `source` has them: 16-bit
// floats and CUDA's vector types.
std::string host_definitions(const std::vector<ArrayType>& types, const std::string& source);

}  // namespace sextant::own
