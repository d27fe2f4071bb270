// 16-bit floating-point types for storage on the host; arithmetic uses float. Conversions round to nearest,
// ties to even. Float16 is binary16 of IEEE 754-2019; BFloat16 is the upper half of a float.
#pragma once

#include <bit>
#include <cstdint>

namespace sextant {

namespace detail {

// Returns `bits` >> `count`, rounded to nearest, ties to even; count >= 1.
constexpr std::uint32_t rounded_right(std::uint32_t bits, int count) {
  const std::uint32_t kept = bits >> count, lost = bits & ((std::uint32_t{1} << count) - 1);
  const std::uint32_t half = std::uint32_t{1} << (count - 1);
  return kept + (lost > half || (lost == half && (kept & 1)) ? 1 : 0);
}

}  // namespace detail

class BFloat16 {
 public:
  BFloat16() = default;
  constexpr explicit BFloat16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    bits_ = static_cast<std::uint16_t>(is_nan ? (bits >> 16) | 0x40u : detail::rounded_right(bits, 16));
  }
  constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16); }

 private:
  std::uint16_t bits_;
};

class Float16 {
 public:
  Float16() = default;
  constexpr explicit Float16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t size = bits & 0x7FFFFFFFu;
    bits_ = static_cast<std::uint16_t>(
        sign | (size > 0x7F800000u ? 0x7E00u | ((size >> 13) & 0x3FFu) : magnitude(size)));
  }
  constexpr operator float() const {
    const auto sign = static_cast<std::uint32_t>(bits_ & 0x8000u) << 16;
    const std::uint32_t exponent = (bits_ >> 10) & 0x1Fu, fraction = bits_ & 0x3FFu;
    if (exponent == 0) {  // zero or subnormal: a multiple of 2^-24
      const float size = static_cast<float>(fraction) * 0x1p-24f;
      return sign ? -size : size;
    }
    const std::uint32_t wide = exponent == 0x1F ? 0xFFu : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
  }

 private:
  // Returns the binary16 bits of a float, whose bits without sign are `size`. NaN is not allowed.
  static constexpr std::uint32_t magnitude(std::uint32_t size) {
    constexpr std::uint32_t least_normal = 113u << 23,
                            too_large = 0x477FF000u;  // bits of 2^-14 and of 65520, as float
    if (size >= too_large) return 0x7C00u;
    if (size >= least_normal) return detail::rounded_right(size - (112u << 23), 13);
    const std::uint32_t exponent = size >> 23;
    if (exponent < 102) return 0;  // values below 2^-25 round to zero
    return detail::rounded_right((size & 0x7FFFFFu) | 0x800000u, static_cast<int>(126 - exponent));
  }

  std::uint16_t bits_;
};

static_assert(sizeof(Float16) == 2 && sizeof(BFloat16) == 2);

}  // namespace sextant
