// Inputs whose sums are exact in any order of addition, with or without fused multiply-add. A variant's
// result must therefore equal the reference to the last bit, and a lost, duplicated or truncated term is
// detected.
//
// Most elements are narrow: odd integers below 2^b in magnitude, times 2^-b. They lie in (-1, 1), with a mean
// of 0. Partial sums of n of them stay below 5 sqrt(n) (eight standard deviations). So b plus the bits of
// 5 sqrt(n) must fit in the type's significand, less one bit. That bit leaves room for a few wide elements,
// which have more significant bits. Converting an operand to a narrower type loses their low bits.
#pragma once

#include <algorithm>
#include <cmath>

#include "suite/problem.hpp"
#include "toolbox/random.hpp"

namespace sextant {

// Positions of the wide elements. Any `terms` consecutive positions contain at most eight. Sums with fewer
// than 16 terms have none.
class WidePlaces {
 public:
  explicit constexpr WidePlaces(std::int64_t terms)
      : distance_(terms < 16 ? 0 : std::max<std::int64_t>(16, (terms + 7) / 8)) {}

  constexpr bool has(std::int64_t i) const { return distance_ > 0 && i % distance_ == distance_ / 3; }
  // Returns true for positions at which the second factor of a product is wide.
  constexpr bool has_second(std::int64_t i) const {
    return distance_ > 0 && i % distance_ == 2 * distance_ / 3;
  }

 private:
  std::int64_t distance_;
};

// Returns a random positive integer of 18 bits (49 for double), or of up to three bits fewer (`fewer`).
// Between the eight highest and the low bits are zeros. A type with half the significand loses the low bits.
// It always rounds down, so that the errors accumulate.
template <typename T>
constexpr T wide_number(std::uint64_t seed, std::int64_t i, int fewer = 0) {
  const std::uint64_t random = random_bits(seed, static_cast<std::uint64_t>(i));
  const int bits = (sizeof(T) == 8 ? 49 : 18) - fewer, low_bits = bits - (sizeof(T) == 8 ? 26 : 13);
  const std::int64_t high = static_cast<std::int64_t>(128 + (random >> 57)) << (bits - 8);
  const std::int64_t low = static_cast<std::int64_t>(random & ((std::uint64_t{1} << low_bits) - 4)) + 1;
  return static_cast<T>(high + low);
}

// Generates the terms of sums with `terms` terms each, or the factors if the terms are products.
class ExactSum {
 public:
  ExactSum(ElementType type, std::int64_t terms)
      : wide_(terms), bits_(narrow_bits_of(type, static_cast<double>(std::max<std::int64_t>(terms, 1)))) {}

  // Returns element i of an array. The element is term number `place` of its sum.
  template <typename T>
  T term(std::uint64_t seed, std::int64_t i, std::int64_t place) const {
    return wide_.has(place) ? wide<T>(seed, i) : narrow<T>(seed, i, bits_);
  }

  // Returns the first or second factor of term number `place`. Both factors together have as many bits as one
  // term; they are alternately the narrower one. If one factor is wide, the other one is 1.
  template <typename T>
  T factor(std::uint64_t seed, std::int64_t i, std::int64_t place, bool second) const {
    if (wide_.has(place) || wide_.has_second(place))
      return wide_.has_second(place) == second ? wide<T>(seed, i) : T(1);
    constexpr int least = 3;
    const int few = std::min(least, bits_ / 2);
    return narrow<T>(seed, i, (place % 2 == 1) == second ? few : bits_ - few);
  }

 private:
  static int narrow_bits_of(ElementType type, double terms) {
    const int significand = type == ElementType::float64 ? 53 : 24;
    return std::max(2, significand - 1 - static_cast<int>(std::ceil(std::log2(5 * std::sqrt(terms)))));
  }

  template <typename T>
  static T narrow(std::uint64_t seed, std::int64_t i, int bits) {
    const auto random = random_bits(seed, static_cast<std::uint64_t>(i)) >> (64 - bits);
    const std::int64_t odd = 2 * static_cast<std::int64_t>(random) + 1 - (std::int64_t{1} << bits);
    return static_cast<T>(static_cast<double>(odd) / static_cast<double>(std::int64_t{1} << bits));
  }

  // Returns a wide number in units of a narrow term's last bit.
  template <typename T>
  T wide(std::uint64_t seed, std::int64_t i) const {
    return wide_number<T>(seed, i) / static_cast<T>(std::int64_t{1} << bits_);
  }

  WidePlaces wide_;
  int bits_;
};

}  // namespace sextant
