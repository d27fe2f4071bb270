// Inputs of sums that are exact in any order: whatever a variant adds first, fused or not, in lanes or in
// trees, every partial sum is a number of the type, so that its result is the reference's to the last bit and
// one lost, doubled or shortened term shows.
//
// Values are odd whole numbers below 2^b in magnitude, times 2^-b: never zero, in (-1, 1), mean 0. The partial
// sums of n of them are random walks of deviation below 0.6 sqrt(n); they stay below 5 sqrt(n), eight
// deviations, so that b bits and those of 5 sqrt(n) together must fit the type's significand.
#pragma once

#include <algorithm>
#include <cmath>

#include "suite/problem.hpp"
#include "toolbox/random.hpp"

namespace sextant {

// b for sums of `terms` values; of products the bits of both factors together.
inline int exact_bits(ElementType type, std::int64_t terms) {
  const int significand = type == ElementType::float64 ? 53 : 24;
  const double walk = 5 * std::sqrt(static_cast<double>(std::max<std::int64_t>(terms, 1)));
  return std::max(2, significand - static_cast<int>(std::ceil(std::log2(walk))));
}

// Bits of the narrow factor of a product; the other has the rest. Which is narrow alternates along the sum, so
// that either factor, read or kept in a narrower type, shows.
inline constexpr int narrow_bits = 3;
inline int factor_bits(int both, bool narrow) {
  const int least = std::min(narrow_bits, both / 2);
  return narrow ? least : both - least;
}

template <typename T>
constexpr T exact_element(std::uint64_t seed, std::int64_t i, int bits) {
  const auto random = random_bits(seed, static_cast<std::uint64_t>(i)) >> (64 - bits);
  const std::int64_t odd = 2 * static_cast<std::int64_t>(random) + 1 - (std::int64_t{1} << bits);
  return static_cast<T>(static_cast<double>(odd) / static_cast<double>(std::int64_t{1} << bits));
}

}  // namespace sextant
