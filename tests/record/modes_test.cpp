// Tests of the dip test and of the modes of clocks and times.
#include "record/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sextant {
namespace {

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(Dip, IsThatOfKnownDistributions) {
  std::vector<double> even, two_points(10, 1.0);
  for (int i = 0; i < 50; ++i) even.push_back(i);
  two_points.insert(two_points.end(), 10, 2.0);
  EXPECT_NEAR(dip(even), 0.01, 1e-12) << "1 / (2 n) is the least possible";
  EXPECT_NEAR(dip(two_points), 0.25, 1e-12) << "the largest possible";
  EXPECT_NEAR(dip(std::vector<double>(8, 3.0)), 1.0 / 16, 1e-12);
  EXPECT_NEAR(dip(std::vector<double>{3.0}), 0.5, 1e-12);
}

// The 99 % quantiles of the R package diptest (table qDiptab), by simulation.
TEST(Dip, OneOfAHundredUniformSamplesIsAboveTheLimit) {
  std::mt19937_64 random(3);
  for (const std::size_t n : {10u, 30u, 100u}) {
    int above = 0;
    for (int i = 0; i < 4000; ++i) {
      std::vector<double> values(n);
      for (double& value : values) value = std::uniform_real_distribution<>()(random);
      above += dip(sorted(values)) > critical_dip(n);
    }
    EXPECT_GE(above, 16) << n;
    EXPECT_LE(above, 60) << n;
  }
  EXPECT_NEAR(critical_dip(50), 0.0807, 0.002);
}

std::vector<double> normal(double mean, double deviation, std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = std::normal_distribution<>(mean, deviation)(random);
  return values;
}

TEST(Modes, AreNamedFromTheMoreFrequentOneOn) {
  Measurement m;
  m.call_times = normal(12.1e-6, 0.05e-6, 61, 1);
  const std::vector<double> slower = normal(14e-6, 0.05e-6, 39, 2);
  m.call_times.insert(m.call_times.end(), slower.begin(), slower.end());
  EXPECT_EQ(modes_text(m), "61 % at 12.1 µs, 39 % at 14 µs");
}

TEST(Modes, AreNotFoundInOneModeOrBelowThreePercent) {
  EXPECT_FALSE(two_modes(normal(1, 0.05, 200, 1)));
  std::vector<double> near = normal(1, 0.001, 100, 1);
  const std::vector<double> other = normal(1.02, 0.001, 100, 2);
  near.insert(near.end(), other.begin(), other.end());
  EXPECT_FALSE(two_modes(near));
  for (double& value : near) value = value > 1.01 ? value * 1.02 : value;
  EXPECT_TRUE(two_modes(near));
  EXPECT_FALSE(two_modes(std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2})) << "too few values";
}

TEST(Modes, OfClocksComeBeforeThoseOfTimes) {
  Measurement m;
  m.states.resize(2);
  for (int i = 0; i < 8; ++i) m.states[0].groups.push_back({5, 1.71e9 + i, {}});
  for (int i = 0; i < 12; ++i) m.states[1].groups.push_back({5, 1.98e9 - i, {}});
  m.states[1].groups.push_back({1, {}, {}});
  EXPECT_EQ(modes_text(m), "60 % at 1980 MHz, 40 % at 1710 MHz");
  m.states.clear();
  EXPECT_EQ(modes_text(m), "");
}

}  // namespace
}  // namespace sextant
