#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "record/lasting.hpp"

namespace sextant {
namespace {

std::vector<double> counted(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.rbegin(), values.rend(), 1.0);  // n, …, 1: deliberately not ascending
  return values;
}

// Returns samples in consecutive parts with the medians `parts`. A part spreads by 1 % without a trend.
std::vector<double> samples_in_parts(const std::vector<double>& parts, int each) {
  std::vector<double> samples;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (int j = 0; j < each; ++j)
      samples.push_back(parts[i] * (1 + 0.01 * (std::fmod((j + 1) * 0.6180339887, 1.0) - 0.5)));
  return samples;
}

TEST(LastingInterval, IsTheMediansWhereNothingIsSlow) {
  const std::vector<double> samples = samples_in_parts(std::vector<double>(8, 1.0), 20);
  const Interval plain = median_interval(samples), lasting = lasting_interval(samples);
  EXPECT_EQ(lasting.median, plain.median);
  EXPECT_DOUBLE_EQ(lasting.low, plain.low);
  EXPECT_DOUBLE_EQ(lasting.high, plain.high);
  const std::vector<double> few = samples_in_parts({1, 1.1, 1, 1.1, 1, 1.1, 1}, 4);  // 28 samples
  EXPECT_EQ(lasting_interval(few).low, median_interval(few).low);
}

TEST(LastingInterval, HoldsWhatAPartOfTheSamplesWasSlowedBy) {
  const std::vector<double> parts = {1, 1.2, 1, 1, 1.2, 1, 1.2, 1};
  for (const int each : {10, 100, 1000}) {  // more samples do not reduce this noise
    const std::vector<double> samples = samples_in_parts(parts, each);
    const Interval lasting = lasting_interval(samples);
    EXPECT_LT(noise(median_interval(samples)), 0.12) << each;
    EXPECT_GT(lasting.high, 1.2) << each;
    EXPECT_LT(lasting.high, 1.5) << each;
    EXPECT_GT(lasting.low, 0) << each;
  }
}

TEST(LastingInterval, IsMostlySlowWherePartsDifferMoreThanSamples) {
  const auto is_slow = [](const std::vector<double>& samples) {
    return is_mostly_slow(lasting_interval(samples), samples);
  };
  EXPECT_TRUE(is_slow(samples_in_parts({1, 1.2, 1, 1, 1.2, 1, 1.2, 1}, 100)));
  EXPECT_FALSE(is_slow(samples_in_parts(std::vector<double>(8, 1.0), 100)));
  EXPECT_FALSE(is_slow({1, 2, 3}));
}

// The ranks in a published table of the sign test (two-sided, 5 %), plus one.
TEST(Statistics, RanksAreThoseOfTheSignTest) {
  const std::vector<std::pair<std::size_t, std::size_t>> table = {
      {5, 0},  {6, 1},  {8, 1},  {9, 2},   {10, 2},  {11, 2},  {12, 3},
      {15, 4}, {20, 6}, {25, 8}, {30, 10}, {40, 14}, {50, 18}, {100, 40}};
  for (const auto& [n, rank] : table) EXPECT_EQ(median_rank(n), rank) << "n = " << n;
}

TEST(Statistics, RanksFollowTheNormalApproximationForManySamples) {
  for (const std::size_t n : {1000ul, 5000ul, 100000ul}) {
    const double half = static_cast<double>(n) / 2;
    EXPECT_NEAR(static_cast<double>(median_rank(n)), half - 1.96 * std::sqrt(half / 2), 1.5) << "n = " << n;
  }
}

TEST(Statistics, MedianAndBounds) {
  const Interval odd = median_interval(counted(9));
  EXPECT_EQ(odd.median, 5);
  EXPECT_EQ(odd.low, 2);
  EXPECT_EQ(odd.high, 8);
  EXPECT_EQ(odd.minimum, 1);
  EXPECT_EQ(odd.samples, 9u);
  EXPECT_EQ(median_interval(counted(10)).median, 5.5);
  EXPECT_DOUBLE_EQ(noise(odd), 0.6);
}

TEST(Statistics, FewSamplesGiveTheExtremesAndInfiniteNoise) {
  const Interval five = median_interval(counted(5));
  EXPECT_EQ(five.low, 1);
  EXPECT_EQ(five.median, 3);
  EXPECT_EQ(five.high, 5);
  EXPECT_TRUE(std::isinf(noise(five)));
  EXPECT_EQ(median_interval({}).samples, 0u);
  EXPECT_EQ(median_interval({}).median, 0);
  const double one = 3;
  EXPECT_EQ(median_interval({&one, 1}).high, 3);
}

TEST(Statistics, NoiseOfZeroTimesIsInfiniteNotNan) {
  const std::vector<double> zeros(20, 0.0);
  EXPECT_TRUE(std::isinf(noise(median_interval(zeros))));
}

std::vector<double> draw(std::mt19937_64& random, std::size_t n, double median) {
  std::lognormal_distribution<double> distribution(std::log(median), 0.3);
  std::vector<double> values(n);
  for (double& value : values) value = distribution(random);
  return values;
}

TEST(Statistics, IntervalCoversTheMedian) {
  std::mt19937_64 random(1);
  for (const std::size_t n : {6, 9, 10, 31, 100}) {
    int covered = 0;
    for (int trial = 0; trial < 4000; ++trial) {
      const Interval interval = median_interval(draw(random, n, 2));
      covered += interval.low <= 2 && 2 <= interval.high;
    }
    // At least 95 % minus three standard errors of 4000 trials. At most what the next rank would cover.
    EXPECT_GE(covered, 4000 * 0.94) << "n = " << n;
    EXPECT_LE(covered, 4000 * 0.99) << "n = " << n;
  }
}

TEST(Statistics, RatioIntervalCoversTheRatio) {
  std::mt19937_64 random(2);
  for (const std::size_t n : {6, 10, 31, 100})
    for (const std::size_t m : {6, 10, 100}) {
      int covered = 0;
      for (int trial = 0; trial < 4000; ++trial) {
        const Interval ratio =
            ratio_of_medians(median_interval(draw(random, n, 6)), median_interval(draw(random, m, 2)));
        covered += ratio.low <= 3 && 3 <= ratio.high;
      }
      EXPECT_GE(covered, 4000 * 0.94) << n << " and " << m;
      EXPECT_LE(covered, 4000 * 0.996) << n << " and " << m;  // the quotient of two intervals covers more
    }
}

TEST(Statistics, RatioOfKnownIntervals) {
  const Interval slow{.low = 8, .median = 8, .high = 16, .minimum = 4, .samples = 10};
  const Interval exact{.low = 2, .median = 2, .high = 2, .minimum = 2, .samples = 20};
  const Interval ratio = ratio_of_medians(slow, exact);
  EXPECT_DOUBLE_EQ(ratio.median, 4);
  EXPECT_DOUBLE_EQ(ratio.low, 4);
  EXPECT_DOUBLE_EQ(ratio.high, 8);
  EXPECT_DOUBLE_EQ(ratio.minimum, 2);
  EXPECT_EQ(ratio.samples, 10u);
  const Interval both = ratio_of_medians(slow, slow);
  EXPECT_DOUBLE_EQ(both.low, 0.5);  // deviation of the first median only
  EXPECT_DOUBLE_EQ(both.high, 2);
  const Interval microseconds{.low = 8e-6, .median = 8e-6, .high = 16e-6, .minimum = 4e-6, .samples = 10};
  EXPECT_DOUBLE_EQ(ratio_of_medians(microseconds, exact).high, 8e-6);
}

TEST(Statistics, RatioOfFewSamplesDividesTheExtremes) {
  const Interval a{.low = 4, .median = 8, .high = 16, .minimum = 4, .samples = 3};
  const Interval b{.low = 1, .median = 2, .high = 4, .minimum = 1, .samples = 30};
  const Interval ratio = ratio_of_medians(a, b);
  EXPECT_DOUBLE_EQ(ratio.low, 1);
  EXPECT_DOUBLE_EQ(ratio.high, 16);
}

TEST(Statistics, RatioNeedsPositiveMedians) {
  const Interval a{.low = 1, .median = 2, .high = 3, .minimum = 1, .samples = 10};
  EXPECT_EQ(ratio_of_medians(a, Interval{}).median, 0);
  EXPECT_EQ(ratio_of_medians(Interval{}, a).median, 0);
}

}  // namespace
}  // namespace sextant
