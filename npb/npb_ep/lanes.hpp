// Generates pairs in SIMD lanes: a branch-free loop over 256 consecutive pairs that the compiler can
// vectorize.
#pragma once

#include <array>

#include "ep.hpp"

namespace sextant::ep {

inline constexpr int chunk_pairs = 256;

// Multipliers 5^(13 k) mod 2^46, which advance the random number generator by k numbers. They lead from the
// chunk's first state to each pair's two states, so that SIMD lanes are independent.
struct Powers {
  alignas(64) std::array<std::uint64_t, chunk_pairs> first, second;
};
constexpr Powers make_powers() {
  Powers powers{};
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < chunk_pairs; ++i) {
    powers.first[i] = power = npb::random_next(power);
    powers.second[i] = power = npb::random_next(power);
  }
  return powers;
}
inline constexpr Powers powers = make_powers();

// Returns ln t for normal t in (0, 2).
//
// Let t = 2^k z with z in [sqrt(1/2), sqrt(2)), and s = (z - 1) / (z + 1). Then ln t = k ln 2 + ln z with ln
// z = 2 atanh s = 2 s + 2 s^3 g(s^2). g interpolates (atanh(s)/s - 1)/s^2 at seven Chebyshev points of 0 <=
// s^2 <= (3 - sqrt 8)^2, computed with 40 digits; the truncation error is below 2^-57.7 of the logarithm. The
// rounding error is at most 4 u with u = 2^-53: s contributes 1.5 u and the sum 1 u. The terms do not cancel,
// because k = 0 where ln z is small.
static inline double logarithm(double t) {
  constexpr std::uint64_t root_half = 0x3FE6A09E667F3BCDu;  // the bits of sqrt(1/2)
  const std::uint64_t bits = bits_of(t), above = bits - root_half;
  const std::uint64_t exponent = above & 0xFFF0000000000000u;  // k * 2^52
  const double z = double_of(bits - exponent);
  // Converts k to double with integer operations that every instruction set has. The bits are those of 2^52 +
  // k + 2^11.
  const double k =
      double_of(((exponent + 0x8000000000000000u) >> 52) | 0x4330000000000000u) - (0x1p52 + 2048);
  const double s = (z - 1) / (z + 1), v = s * s;
  double g = 0x1.2b584aae78a57p-4;
  g = g * v + 0x1.39fe606542ddep-4;
  g = g * v + 0x1.7462b4ab2ef6bp-4;
  g = g * v + 0x1.c71c62e5800a1p-4;
  g = g * v + 0x1.2492492df148dp-3;
  g = g * v + 0x1.99999999952e2p-3;
  g = g * v + 0x1.5555555555558p-2;
  const double twice = s + s;
  return k * 0x1.62e42fefa39efp-1 + (twice + twice * v * g);
}

// Adds the `count` pairs after the state `start` to the tally; `count` is at most chunk_pairs. The function
// is static, so that each variant compiles its own copy with its own compiler flags.
static inline void add_chunk(std::uint64_t start, int count, Tally* tally) {
  const std::uint64_t shifted = start << 6;
  alignas(64) double largest[chunk_pairs];
  double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0, accepted = 0, from_1 = 0, from_2 = 0, from_3 = 0, from_4 = 0;
#pragma omp simd reduction(+ : sx, sy, abs_sx, abs_sy, accepted, from_1, from_2, from_3, from_4)
  for (int i = 0; i < count; ++i) {
    const double x = symmetric(shifted * powers.first[static_cast<std::size_t>(i)]);
    const double y = symmetric(shifted * powers.second[static_cast<std::size_t>(i)]);
    const double t = x * x + y * y;
    const double f =
        t <= 1 ? std::sqrt(std::abs(2 * logarithm(t)) / t) : 0.0;  // a rejected pair adds nothing
    const double X = x * f, Y = y * f;
    const double abs_X = std::abs(X), abs_Y = std::abs(Y), larger = abs_X > abs_Y ? abs_X : abs_Y;
    sx += X, sy += Y, abs_sx += abs_X, abs_sy += abs_Y;
    accepted += t <= 1 ? 1.0 : 0.0;
    from_1 += larger >= 1 ? 1.0 : 0.0;
    from_2 += larger >= 2 ? 1.0 : 0.0;
    from_3 += larger >= 3 ? 1.0 : 0.0;
    from_4 += larger >= 4 ? 1.0 : 0.0;
    largest[i] = larger;
  }
  tally->sx += sx, tally->sy += sy, tally->abs_sx += abs_sx, tally->abs_sy += abs_sy;
  tally->rings[0] += accepted - from_1, tally->rings[1] += from_1 - from_2;
  tally->rings[2] += from_2 - from_3, tally->rings[3] += from_3 - from_4;
  if (from_4 == 0) return;  // no pair has max(|X|, |Y|) >= 4, which is true for 39 of 40 chunks
  for (int i = 0; i < count; ++i)
    if (largest[i] >= 4) tally->rings[static_cast<int>(largest[i])] += 1;
}

// Returns the tally of pairs first … first + count - 1 of the random sequence.
static inline Tally tally_pairs(std::int64_t first, std::int64_t count) {
  constexpr std::uint64_t jump = npb::random_jump(2 * chunk_pairs);
  Tally tally;
  std::uint64_t state = state_before(first);
  for (std::int64_t done = 0; done < count; done += chunk_pairs) {
    const std::int64_t left = count - done;
    add_chunk(state, left < chunk_pairs ? static_cast<int>(left) : chunk_pairs, &tally);
    state = npb::random_product(jump, state);
  }
  return tally;
}

}  // namespace sextant::ep
