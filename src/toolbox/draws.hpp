// Pseudorandom data and structures such as row offsets, graphs and meshes. Every function computes element i
// independently, on the host or a device. Structures come from fixed seeds, because they must be consistent
// across several arrays. They are the same in every run; only the values differ.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "toolbox/random.hpp"

namespace sextant {

// Returns seed number j for a structure, independent of the run's seed.
constexpr std::uint64_t structure_seed(std::uint64_t j) { return random_bits(0x53455854414E54, j); }

// Returns seed number j, derived from an array's seed.
constexpr std::uint64_t further_seed(std::uint64_t seed, std::uint64_t j) {
  return random_bits(seed, (std::uint64_t{1} << 63) + j);
}

// Returns element i of a random sequence in [0, m), for 1 <= m <= 2^32. Every value has the probability 1/m ±
// 2^-32.
constexpr std::int64_t below(std::uint64_t seed, std::int64_t i, std::int64_t m) {
  const std::uint64_t high = random_bits(seed, static_cast<std::uint64_t>(i)) >> 32;
  return static_cast<std::int64_t>((high * static_cast<std::uint64_t>(m)) >> 32);
}

// Returns a random integer in [-k, k), with mean -1/2. If all partial sums stay below 2^24, sums are exact in
// every type and in any order. Use `odd` for longer sums.
template <typename T>
constexpr T whole(std::uint64_t seed, std::int64_t i, std::int64_t k) {
  return static_cast<T>(below(seed, i, 2 * k) - k);
}

// Returns a random odd integer in (-2k, 2k), which is never zero. If k is a power of two, the mean is exactly
// 0, and a sum of n such values has a standard deviation of 1.2 k sqrt(n). With k = 4 such sums are exact in
// float for every n that fits in memory.
template <typename T>
constexpr T odd(std::uint64_t seed, std::int64_t i, std::int64_t k) {
  return static_cast<T>(2 * below(seed, i, 2 * k) - (2 * k - 1));
}

// A random bijection of [0, n), n >= 1: a Feistel network of four rounds. It is applied again until the
// result is below n (cycle walking).
class Permutation {
 public:
  constexpr Permutation(std::uint64_t seed, std::int64_t n)
      : seed_(seed),
        n_(n),
        bits_(half_of(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))))) {}

  constexpr std::int64_t operator()(std::int64_t i) const {
    std::uint64_t left = 0, right = 0, x = static_cast<std::uint64_t>(i);
    do {
      split(x, left, right);
      for (std::uint64_t round = 0; round < 4; ++round) {
        const std::uint64_t mixed = left ^ key(right, round);
        left = right;
        right = mixed;
      }
      x = left << bits_ | right;
    } while (x >= static_cast<std::uint64_t>(n_));
    return static_cast<std::int64_t>(x);
  }

  // Returns the index i that the permutation maps to `place`.
  constexpr std::int64_t inverse(std::int64_t place) const {
    std::uint64_t left = 0, right = 0, x = static_cast<std::uint64_t>(place);
    do {
      split(x, left, right);
      for (std::uint64_t round = 4; round-- > 0;) {
        const std::uint64_t mixed = right ^ key(left, round);
        right = left;
        left = mixed;
      }
      x = left << bits_ | right;
    } while (x >= static_cast<std::uint64_t>(n_));
    return static_cast<std::int64_t>(x);
  }

 private:
  static constexpr int half_of(int bits) { return bits < 2 ? 1 : (bits + 1) / 2; }
  constexpr std::uint64_t mask() const { return (std::uint64_t{1} << bits_) - 1; }
  constexpr void split(std::uint64_t x, std::uint64_t& left, std::uint64_t& right) const {
    left = x >> bits_;
    right = x & mask();
  }
  constexpr std::uint64_t key(std::uint64_t half, std::uint64_t round) const {
    return (random_bits(seed_, 4 * half + round) >> 32) & mask();
  }

  std::uint64_t seed_;
  std::int64_t n_;
  int bits_;
};

namespace detail {

// Returns the largest r with r^3 <= 2^exponent, for an exponent below 63.
constexpr std::int64_t cube_root_of_power(int exponent) {
  const std::uint64_t target = std::uint64_t{1} << exponent;
  std::uint64_t low = 1, high = std::uint64_t{1} << 21;  // high^3 is above every target
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    (middle * middle * middle <= target ? low : high) = middle;
  }
  return static_cast<std::int64_t>(low);
}

inline constexpr int ruler_marks = 28;  // number of lengths in the table, enough for fewer than 2^28 rows

constexpr std::array<std::int64_t, ruler_marks> make_ruler() {
  std::array<std::int64_t, ruler_marks> lengths{};
  for (int t = 0; t < ruler_marks; ++t) lengths[static_cast<std::size_t>(t)] = cube_root_of_power(6 + 2 * t);
  return lengths;
}
inline constexpr std::array<std::int64_t, ruler_marks> ruler = make_ruler();

}  // namespace detail

// Returns the length of row `row`, 0 <= row < 2^28 - 1. The lengths 4, 6, 4, 10, 4, 6, 4, 16, … follow the
// marks of a ruler and have a heavy tail. The mean is 9.5, and the longest of m rows has 4 m^(2/3) elements.
constexpr std::int64_t ruler_length(std::int64_t row) {
  return detail::ruler[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(row) + 1))];
}

// Returns the number of elements in all rows before `row`; 0 <= row < 2^28.
constexpr std::int64_t ruler_offset(std::int64_t row) {
  std::int64_t sum = 0;
  for (int t = 0; t < detail::ruler_marks && row >> t > 0; ++t)
    sum += ((row >> t) - (row >> (t + 1))) * detail::ruler[static_cast<std::size_t>(t)];
  return sum;
}

}  // namespace sextant
