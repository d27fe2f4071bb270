// Maps an ElementType to its C++ type.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "suite/problem.hpp"
#include "suite/small_floats.hpp"

namespace sextant {

// Calls use.template operator()<T>(), where T is the C++ type of `type`.
template <typename Use>
decltype(auto) with_type(ElementType type, const Use& use) {
  switch (type) {
    case ElementType::float32:
      return use.template operator()<float>();
    case ElementType::float64:
      return use.template operator()<double>();
    case ElementType::int32:
      return use.template operator()<std::int32_t>();
    case ElementType::float16:
      return use.template operator()<Float16>();
    case ElementType::bfloat16:
      return use.template operator()<BFloat16>();
    case ElementType::int8:
      return use.template operator()<std::int8_t>();
    case ElementType::uint8:
      return use.template operator()<std::uint8_t>();
    case ElementType::int16:
      return use.template operator()<std::int16_t>();
    case ElementType::uint16:
      return use.template operator()<std::uint16_t>();
    case ElementType::uint32:
      return use.template operator()<std::uint32_t>();
    case ElementType::int64:
      return use.template operator()<std::int64_t>();
    case ElementType::uint64:
      return use.template operator()<std::uint64_t>();
  }
  throw std::logic_error("no such element type");
}

// Calls use(elements), where `elements` is `data` as a pointer to the C++ type of `type`.
template <typename Use>
decltype(auto) with_elements(ElementType type, void* data, const Use& use) {
  return with_type(type, [&]<typename T>() -> decltype(auto) { return use(static_cast<T*>(data)); });
}

template <typename T>
inline constexpr bool is_floating =
    std::is_floating_point_v<T> || std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

constexpr bool is_whole(ElementType type) {
  return type != ElementType::float32 && type != ElementType::float64 && type != ElementType::float16 &&
         type != ElementType::bfloat16;
}

// True for 64-bit integers. A double cannot represent all their values.
template <typename T>
inline constexpr bool is_whole64 = std::is_integral_v<T> && sizeof(T) == 8;

}  // namespace sextant
