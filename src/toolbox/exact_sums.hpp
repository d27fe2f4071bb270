// Inputs of sums that are exact in any order: whatever a variant adds first, fused or not, in lanes or in
// trees, every partial sum is a number of the type, so that its result is the reference's to the last bit and
// one lost, doubled or shortened term shows.
//
// Narrow elements are odd whole numbers below 2^b in magnitude, times 2^-b: never zero, in (-1, 1), mean 0.
// The partial sums of n of them are random walks of deviation below 0.6 sqrt(n); they stay below 5 sqrt(n),
// eight deviations, so that b bits and those of 5 sqrt(n) together must fit the type's significand, but for
// one bit. That bit has room for the wide elements, a few among many: an operand that is kept in a narrower
// type loses their low bits.
#pragma once

#include <algorithm>
#include <cmath>

#include "suite/problem.hpp"
#include "toolbox/random.hpp"

namespace sextant {

// Which elements are wide: at most eight of any `terms` neighbours, and of fewer than 16 none.
class WidePlaces {
 public:
  explicit constexpr WidePlaces(std::int64_t terms)
      : distance_(terms < 16 ? 0 : std::max<std::int64_t>(16, (terms + 7) / 8)) {}

  constexpr bool has(std::int64_t i) const { return distance_ > 0 && i % distance_ == distance_ / 3; }
  // The same of another factor, at other places.
  constexpr bool has_second(std::int64_t i) const {
    return distance_ > 0 && i % distance_ == 2 * distance_ / 3;
  }

 private:
  std::int64_t distance_;
};

// A positive whole number of 18 bits (49 in double), or up to three `fewer`: eight high bits, then zeros,
// then low bits. A type with half the significand (11 bits; 24 for double) cannot hold the low bits and
// rounds the number down, so the losses add up.
template <typename T>
constexpr T wide_number(std::uint64_t seed, std::int64_t i, int fewer = 0) {
  const std::uint64_t random = random_bits(seed, static_cast<std::uint64_t>(i));
  const int bits = (sizeof(T) == 8 ? 49 : 18) - fewer, low_bits = bits - (sizeof(T) == 8 ? 26 : 13);
  const std::int64_t high = static_cast<std::int64_t>(128 + (random >> 57)) << (bits - 8);
  const std::int64_t low = static_cast<std::int64_t>(random & ((std::uint64_t{1} << low_bits) - 4)) + 1;
  return static_cast<T>(high + low);
}

// The elements of one sum of `terms` terms, or of many, and the factors of one whose terms are products.
class ExactSum {
 public:
  ExactSum(ElementType type, std::int64_t terms)
      : wide_(terms), bits_(narrow_bits_of(type, static_cast<double>(std::max<std::int64_t>(terms, 1)))) {}

  // Element i of an array, which is term `place` of its sum.
  template <typename T>
  T term(std::uint64_t seed, std::int64_t i, std::int64_t place) const {
    return wide_.has(place) ? wide<T>(seed, i) : narrow<T>(seed, i, bits_);
  }

  // Likewise a factor of term `place`, the first or the second. Both together have the bits of a term: one is
  // narrower, in turn, and 1 where the other is wide.
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

  // In units of a term's last bit.
  template <typename T>
  T wide(std::uint64_t seed, std::int64_t i) const {
    return wide_number<T>(seed, i) / static_cast<T>(std::int64_t{1} << bits_);
  }

  WidePlaces wide_;
  int bits_;
};

}  // namespace sextant
