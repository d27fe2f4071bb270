// Tests of inputs and sparse structures that are computed from an index. The expected values come from an
// independent implementation in another language.
#include "toolbox/draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace sextant {
namespace {

using Numbers = std::vector<std::int64_t>;

TEST(Draws, StayWhatTheyAre) {
  Numbers numbers, wholes;
  for (std::int64_t i = 0; i < 6; ++i) numbers.push_back(below(11, i, 1000));
  for (std::int64_t i = 0; i < 8; ++i) wholes.push_back(whole<std::int64_t>(11, i, 8));
  EXPECT_EQ(numbers, (Numbers{316, 262, 638, 504, 165, 551}));
  EXPECT_EQ(wholes, (Numbers{-3, -4, 2, 0, -6, 0, -7, 4}));
  EXPECT_EQ(structure_seed(1), 0x924a01f2f6e22020u);
  EXPECT_EQ(further_seed(11, 2), 0xf712898bc8f658dbu);
}

TEST(Draws, AreBelowTheirLimitAndReachAllOfIt) {
  for (const std::int64_t m : {1, 2, 3, 17}) {
    std::set<std::int64_t> seen;
    for (std::int64_t i = 0; i < 1000; ++i) seen.insert(below(5, i, m));
    EXPECT_EQ(static_cast<std::int64_t>(seen.size()), m);
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), m - 1);
  }
  EXPECT_GT(below(5, 0, std::int64_t{1} << 32), 0);  // the largest allowed range
}

TEST(Whole, LiesFromMinusKToBelowK) {
  std::set<float> seen;
  for (std::int64_t i = 0; i < 2000; ++i) seen.insert(whole<float>(3, i, 8));
  EXPECT_EQ(seen.size(), 16u);
  EXPECT_EQ(*seen.begin(), -8);
  EXPECT_EQ(*seen.rbegin(), 7);
}

TEST(Odd, IsNeverZeroAndAddsUpToLittle) {
  std::set<int> seen;
  std::int64_t sum = 0, largest = 0;
  for (std::int64_t i = 0; i < 1 << 20; ++i) {
    const int value = odd<int>(3, i, 4);
    seen.insert(value);
    sum += value;
    largest = std::max(largest, std::abs(sum));
  }
  EXPECT_EQ(seen, (std::set<int>{-7, -5, -3, -1, 1, 3, 5, 7}));
  EXPECT_LT(largest, 8 * 4.6 * 1024);  // eight standard deviations of the random walk
}

TEST(Permutation, StaysWhatItIs) {
  Numbers small, large;
  for (std::int64_t i = 0; i < 13; ++i) small.push_back(Permutation(7, 13)(i));
  for (std::int64_t i = 0; i < 5; ++i) large.push_back(Permutation(7, 1000003)(i));
  EXPECT_EQ(small, (Numbers{6, 12, 11, 8, 9, 10, 2, 5, 7, 3, 4, 1, 0}));
  EXPECT_EQ(large, (Numbers{18068, 205069, 177150, 895844, 855206}));
}

TEST(Permutation, IsABijectionWithItsInverse) {
  Numbers sizes = {1021, 1024, 1025, 4097, 65536, 65537, 100003};
  for (std::int64_t n = 1; n <= 70; ++n) sizes.push_back(n);
  for (const std::int64_t n : sizes) {
    const Permutation permutation(static_cast<std::uint64_t>(n), n);
    std::vector<bool> seen(static_cast<std::size_t>(n), false);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t place = permutation(i);
      ASSERT_TRUE(place >= 0 && place < n) << n;
      ASSERT_FALSE(seen[static_cast<std::size_t>(place)]) << n << " " << i;
      seen[static_cast<std::size_t>(place)] = true;
      ASSERT_EQ(permutation.inverse(place), i) << n;
    }
  }
}

TEST(Permutation, ReachesBeyond32Bits) {
  const std::int64_t n = 10'000'000'019;
  const Permutation permutation(1, n);
  bool beyond = false;
  for (std::int64_t i = n - 20; i < n; ++i) {
    const std::int64_t place = permutation(i);
    ASSERT_TRUE(place >= 0 && place < n);
    ASSERT_EQ(permutation.inverse(place), i);
    beyond |= place > std::int64_t{1} << 32;
  }
  EXPECT_TRUE(beyond);
}

TEST(Ruler, HasTheLengthsOfItsMarks) {
  Numbers lengths;
  for (std::int64_t row = 0; row < 8; ++row) lengths.push_back(ruler_length(row));
  EXPECT_EQ(lengths, (Numbers{4, 6, 4, 10, 4, 6, 4, 16}));
  EXPECT_EQ(ruler_length((1 << 12) - 1), 1024);
  EXPECT_EQ(ruler_length((1 << 27) - 1), 1048576);
}

TEST(Ruler, OffsetsAreTheSumsOfTheLengthsBefore) {
  std::int64_t sum = 0;
  for (std::int64_t row = 0; row <= 20000; ++row) {
    ASSERT_EQ(ruler_offset(row), sum) << row;
    sum += ruler_length(row);
  }
  EXPECT_EQ(ruler_offset(10'000'000), 95428843);
}

// These functions must also work in constant expressions, as in device code.
static_assert(Permutation(7, 13)(0) == 6 && Permutation(7, 13).inverse(6) == 0);
static_assert(ruler_offset(12345) == 114332);
static_assert(whole<float>(11, 0, 8) == -3);

}  // namespace
}  // namespace sextant
