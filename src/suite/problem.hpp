// A concrete problem: the size, element type and parameters of a launch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sextant {

// Element types of arrays. A problem has one of the first three, for which kernels provide code (PerType).
enum class ElementType : std::uint8_t {
  float32,
  float64,
  int32,
  float16,
  bfloat16,
  int8,
  uint8,
  int16,
  uint16,
  uint32,
  int64,
  uint64
};

constexpr std::size_t element_size(ElementType type) {
  constexpr std::size_t sizes[] = {4, 8, 4, 2, 2, 1, 1, 2, 2, 4, 8, 8};
  return sizes[static_cast<std::size_t>(type)];
}

// Returns the type's name on the command line and in output.
constexpr const char* name_of(ElementType type) {
  constexpr const char* names[] = {"float", "double", "int",    "half",   "bfloat16", "int8",
                                   "uint8", "int16",  "uint16", "uint32", "int64",    "uint64"};
  return names[static_cast<std::size_t>(type)];
}

// The iteration space in elements. x is the fastest axis; unused axes are 1.
struct Extents {
  std::int64_t x = 1, y = 1, z = 1;
  constexpr std::int64_t count() const { return x * y * z; }
  bool operator==(const Extents&) const = default;
};

struct Problem {
  std::int64_t n = 0;  // number of elements of all arrays together
  ElementType type = ElementType::float32;
  Extents extents;                              // from Kernel::extents or a named problem
  std::array<std::int64_t, 4> parameters = {};  // kernel-specific, e.g. {stride} or {radius, steps}
  int parts = 1;                                // number of partitions, one per device or process
};

// One value for each problem type (float, double, int), usually a function. Null for unsupported types.
template <typename Value>
struct PerType {
  Value float32{}, float64{}, int32{};
  constexpr Value operator[](ElementType type) const {
    switch (type) {
      case ElementType::float32:
        return float32;
      case ElementType::float64:
        return float64;
      case ElementType::int32:
        return int32;
      default:
        return {};
    }
  }
};

// Fill a PerType with instances of a function template: `variant.launch = SEXTANT_FLOAT_DOUBLE(launch);`.
#define SEXTANT_FLOAT_DOUBLE(function) \
  { .float32 = function<float>, .float64 = function<double> }
#define SEXTANT_FLOAT_DOUBLE_INT(function) \
  { .float32 = function<float>, .float64 = function<double>, .int32 = function<std::int32_t> }

}  // namespace sextant
