// Tests of 16-bit floating-point types, which are used for storage only, and of element types.
#include "suite/element.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace sextant {
namespace {

template <typename Small>
std::uint16_t bits_of(float value) {
  return std::bit_cast<std::uint16_t>(Small(value));
}

// Every 16-bit value survives the conversion to float and back.
template <typename Small>
void expect_all_kept() {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto small = std::bit_cast<Small>(static_cast<std::uint16_t>(bits));
    const float value = small;
    if (value == value)
      EXPECT_EQ(bits_of<Small>(value), bits);
    else
      EXPECT_TRUE(std::isnan(static_cast<float>(Small(value))));
  }
}

TEST(SmallFloats, AreKept) {
  expect_all_kept<Float16>();
  expect_all_kept<BFloat16>();
}

// A value half way between two neighbours is rounded to the even one, and a larger value to the upper one.
template <typename Small>
void expect_rounded_to_even() {
  for (std::uint16_t bits = 0; bits < (std::is_same_v<Small, Float16> ? 0x7BFF : 0x7F7F); ++bits) {
    const float low = std::bit_cast<Small>(bits),
                high = std::bit_cast<Small>(static_cast<std::uint16_t>(bits + 1));
    const float middle = low + (high - low) / 2;
    EXPECT_EQ(bits_of<Small>(middle), bits % 2 ? bits + 1 : bits);
    EXPECT_EQ(bits_of<Small>(std::nextafter(middle, high)), bits + 1);
    EXPECT_EQ(bits_of<Small>(-std::nextafter(middle, low)), bits | 0x8000);
  }
}

TEST(SmallFloats, AreRoundedToEven) {
  expect_rounded_to_even<Float16>();
  expect_rounded_to_even<BFloat16>();
}

TEST(SmallFloats, HaveInfinitiesAndNaN) {
  EXPECT_EQ(static_cast<float>(Float16(65504.0f)), 65504.0f);
  EXPECT_EQ(static_cast<float>(Float16(65519.0f)), 65504.0f);
  EXPECT_EQ(static_cast<float>(Float16(65520.0f)), INFINITY);
  EXPECT_EQ(static_cast<float>(BFloat16(-3.4e38f)), -INFINITY);
  EXPECT_TRUE(std::isnan(static_cast<float>(Float16(NAN))));
  EXPECT_TRUE(std::isnan(
      static_cast<float>(BFloat16(std::bit_cast<float>(0x7F800001u)))));  // a NaN whose high bits are 0
  EXPECT_EQ(static_cast<float>(Float16(0x1p-25f)), 0);
  EXPECT_EQ(static_cast<float>(Float16(0x1.8p-25f)), 0x1p-24f);
}

TEST(Element, TypesHaveTheSizesThatTheyAreSaidToHave) {
  for (int i = 0; i <= static_cast<int>(ElementType::uint64); ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(with_type(type, []<typename T>() { return sizeof(T); }), element_size(type)) << name_of(type);
    EXPECT_EQ(with_type(type, []<typename T>() { return !is_floating<T>; }), is_whole(type)) << name_of(type);
  }
}

}  // namespace
}  // namespace sextant
