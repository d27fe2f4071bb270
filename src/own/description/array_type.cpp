#include "own/description/array_type.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

namespace sextant::own {

extern const char* const small_floats_text;  // text of src/suite/small_floats.hpp

namespace {

struct Named {
  ElementType element;
  const char* cpp;
};

// Names of scalar types. The first name of each type is the one that Sextant prints.
const std::map<std::string, Named>& scalar_types() {
  static const std::map<std::string, Named> types = {
      {"float", {ElementType::float32, "float"}},
      {"double", {ElementType::float64, "double"}},
      {"int", {ElementType::int32, "std::int32_t"}},
      {"int32_t", {ElementType::int32, "std::int32_t"}},
      {"half", {ElementType::float16, "__half"}},
      {"__half", {ElementType::float16, "__half"}},
      {"bfloat16", {ElementType::bfloat16, "__nv_bfloat16"}},
      {"__nv_bfloat16", {ElementType::bfloat16, "__nv_bfloat16"}},
      {"int8", {ElementType::int8, "std::int8_t"}},
      {"int8_t", {ElementType::int8, "std::int8_t"}},
      {"char", {ElementType::int8, "char"}},
      {"signed char", {ElementType::int8, "signed char"}},
      {"uint8", {ElementType::uint8, "std::uint8_t"}},
      {"uint8_t", {ElementType::uint8, "std::uint8_t"}},
      {"uchar", {ElementType::uint8, "unsigned char"}},
      {"unsigned char", {ElementType::uint8, "unsigned char"}},
      {"bool", {ElementType::uint8, "bool"}},
      {"int16", {ElementType::int16, "std::int16_t"}},
      {"int16_t", {ElementType::int16, "std::int16_t"}},
      {"short", {ElementType::int16, "short"}},
      {"uint16", {ElementType::uint16, "std::uint16_t"}},
      {"uint16_t", {ElementType::uint16, "std::uint16_t"}},
      {"unsigned short", {ElementType::uint16, "unsigned short"}},
      {"uint32", {ElementType::uint32, "std::uint32_t"}},
      {"uint32_t", {ElementType::uint32, "std::uint32_t"}},
      {"uint", {ElementType::uint32, "unsigned"}},
      {"unsigned", {ElementType::uint32, "unsigned"}},
      {"unsigned int", {ElementType::uint32, "unsigned"}},
      {"int64", {ElementType::int64, "std::int64_t"}},
      {"int64_t", {ElementType::int64, "std::int64_t"}},
      {"long", {ElementType::int64, "long"}},
      {"long long", {ElementType::int64, "long long"}},
      {"uint64", {ElementType::uint64, "std::uint64_t"}},
      {"uint64_t", {ElementType::uint64, "std::uint64_t"}},
      {"size_t", {ElementType::uint64, "std::size_t"}},
      {"unsigned long", {ElementType::uint64, "unsigned long"}},
      {"unsigned long long", {ElementType::uint64, "unsigned long long"}},
      {"complex<float>", {ElementType::float32, "std::complex<float>"}},
      {"std::complex<float>", {ElementType::float32, "std::complex<float>"}},
      {"complex<double>", {ElementType::float64, "std::complex<double>"}},
      {"std::complex<double>", {ElementType::float64, "std::complex<double>"}}};
  return types;
}

// A CUDA vector type with two to four equal members. `name` is the type's name without the number.
struct Struct {
  const char* name;
  ElementType element;
  const char* member;
};
constexpr Struct structs[] = {{"char", ElementType::int8, "signed char"},
                              {"uchar", ElementType::uint8, "unsigned char"},
                              {"short", ElementType::int16, "short"},
                              {"ushort", ElementType::uint16, "unsigned short"},
                              {"int", ElementType::int32, "int"},
                              {"uint", ElementType::uint32, "unsigned"},
                              {"longlong", ElementType::int64, "long long"},
                              {"ulonglong", ElementType::uint64, "unsigned long long"},
                              {"float", ElementType::float32, "float"},
                              {"double", ElementType::float64, "double"}};

const Struct* struct_named(const std::string& name) {
  if (name.empty() || name.back() < '2' || name.back() > '4') return nullptr;
  const auto found = std::find_if(std::begin(structs), std::end(structs), [&](const Struct& one) {
    return name.substr(0, name.size() - 1) == one.name;
  });
  return found == std::end(structs) ? nullptr : found;
}

// Returns "struct alignas(16) float4 { float x, y, z, w; };" with CUDA's alignment.
std::string definition_of(const ArrayType& type) {
  const Struct& one = *struct_named(type.cpp);
  const std::size_t size = element_size(type.element);
  const std::size_t alignment =
      type.members == 3 ? size : std::min<std::size_t>(16, size * static_cast<std::size_t>(type.members));
  return "struct alignas(" + std::to_string(alignment) + ") " + type.cpp + " { " + one.member + " " +
         std::string("x, y, z, w").substr(0, static_cast<std::size_t>(3 * type.members - 2)) + "; };\n";
}

}  // namespace

std::optional<ArrayType> array_type_named(const std::string& name) {
  if (name.starts_with("std::") && !name.ends_with('>')) return array_type_named(name.substr(5));
  if (const auto known = scalar_types().find(name); known != scalar_types().end()) {
    const bool complex = name.ends_with('>');
    return ArrayType{known->second.element, complex ? 2 : 1, known->second.cpp};
  }
  if (const Struct* one = struct_named(name)) return ArrayType{one->element, name.back() - '0', name};
  return {};
}

std::string array_type_names() {
  return "float, double, half, bfloat16, int8, uint8, int16, uint16, int, uint32, int64, uint64, structs of "
         "CUDA such as float4 or uchar2, complex<float>, complex<double>";
}

std::string host_definitions(const std::vector<ArrayType>& types, const std::string& source) {
  const auto has = [&](const std::string& text) { return source.find(text) != std::string::npos; };
  const bool has_structs =
      has("vector_types.h") || has("cuda_runtime") || has("cuda_fp16.h") || has("cuda_bf16.h");
  std::set<std::string> defined;
  std::string text;
  for (const ArrayType& one : types) {
    if (!defined.insert(one.cpp).second) continue;
    if (one.cpp.starts_with("std::complex")) text += "#include <complex>\n";
    if (struct_named(one.cpp) && !has_structs && !has("struct " + one.cpp)) text += definition_of(one);
  }
  if (defined.contains("__half") && !has("cuda_fp16.h"))
    text += "using __half = sextant::Float16;\nusing half = sextant::Float16;\n";
  if (defined.contains("__nv_bfloat16") && !has("cuda_bf16.h"))
    text += "using __nv_bfloat16 = sextant::BFloat16;\n";
  return text.find("sextant::") == std::string::npos ? text : small_floats_text + text;
}

}  // namespace sextant::own
