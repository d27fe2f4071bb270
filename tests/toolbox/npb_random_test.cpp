// Compares the random number generator of the NAS Parallel Benchmarks with arithmetic that cannot overflow.
#include "toolbox/npb_random.hpp"

#include <gtest/gtest.h>

namespace sextant {
namespace {

__extension__ using Wide = unsigned __int128;  // can hold the product of two states

std::uint64_t exact_product(std::uint64_t a, std::uint64_t x) {
  return static_cast<std::uint64_t>(Wide{a} * x % (Wide{1} << 46));
}

TEST(NpbRandom, StreamIsThatOfExactArithmetic) {
  for (const std::uint64_t seed : {npb::ep_seed, npb::other_seed, std::uint64_t{1}, npb::random_mask}) {
    std::uint64_t state = seed, exact = seed;
    for (int i = 0; i < 200'000; ++i) {
      state = npb::random_next(state);
      exact = exact_product(1'220'703'125, exact);
      ASSERT_EQ(state, exact) << "seed " << seed << " step " << i;
    }
  }
}

// The first state for the seed 271828183, computed by hand: 271828183 * 5^13 = 331821512451171875.
TEST(NpbRandom, FirstStateIsNotTheSeed) {
  static_assert(npb::random_next(npb::ep_seed) == 331821512451171875u % (std::uint64_t{1} << 46));
  EXPECT_NE(npb::random_next(npb::ep_seed), npb::ep_seed);
}

TEST(NpbRandom, JumpsLandWhereStepsDo) {
  std::uint64_t state = npb::ep_seed;
  for (std::uint64_t n = 0; n <= 70'000; ++n) {
    if (n < 300 || n % 977 == 0 || (n & (n - 1)) == 0) {
      ASSERT_EQ(npb::random_skip(npb::ep_seed, n), state) << "n = " << n;
    }
    state = npb::random_next(state);
  }
}

TEST(NpbRandom, LongJumpsAddUp) {
  const std::uint64_t lengths[] = {1,
                                   2,
                                   131'072,
                                   (std::uint64_t{1} << 33) + 1,
                                   (std::uint64_t{1} << 43) - 7,
                                   (std::uint64_t{1} << 44) - 1};
  for (const std::uint64_t a : lengths)
    for (const std::uint64_t b : lengths)
      EXPECT_EQ(npb::random_skip(npb::random_skip(npb::other_seed, a), b),
                npb::random_skip(npb::other_seed, a + b));
  std::uint64_t power = 1'220'703'125;  // 5^(13 * 2^i) by exact squaring
  for (int i = 0; i < 44; ++i) {
    EXPECT_EQ(npb::random_jump(std::uint64_t{1} << i), power) << "2^" << i;
    power = exact_product(power, power);
  }
}

TEST(NpbRandom, PeriodIsTwoToThe44) {
  EXPECT_EQ(npb::random_skip(npb::ep_seed, npb::random_period), npb::ep_seed);
  EXPECT_NE(npb::random_skip(npb::ep_seed, npb::random_period / 2), npb::ep_seed);
}

TEST(NpbRandom, ValuesAreExactAndInsideTheUnitInterval) {
  EXPECT_EQ(npb::random_value(1), 0x1p-46);
  EXPECT_EQ(npb::random_value(npb::random_mask), 1 - 0x1p-46);
  std::uint64_t state = npb::ep_seed;
  for (int i = 0; i < 1000; ++i) {
    state = npb::random_next(state);
    ASSERT_EQ(npb::random_value(state) * 0x1p46, static_cast<double>(state));
    ASSERT_GT(npb::random_value(state), 0);
    ASSERT_LT(npb::random_value(state), 1);
  }
}

}  // namespace
}  // namespace sextant
