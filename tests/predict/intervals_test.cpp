// Tests of conformal prediction intervals. The cases are grouped by family, and their coverage is known.
#include "predict/intervals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tuner/random.hpp"

namespace sextant::predict {
namespace {

using tuner::Random;

// Returns one case per group, with the errors 1, 2, …
std::vector<HeldOutCase> ladder(std::size_t groups) {
  std::vector<HeldOutCase> cases;
  for (std::size_t group = 0; group < groups; ++group)
    cases.push_back({group, (group % 2 ? 1.0 : -1.0) * static_cast<double>(group + 1), 1});
  return cases;
}

// Returns groups of 1 to 60 cases with random errors. Each group has a different scale.
std::vector<HeldOutCase> drawn(std::size_t groups, std::uint64_t seed, double hard_share = 0) {
  std::vector<HeldOutCase> cases;
  Random random(seed);
  for (std::size_t group = 0; group < groups; ++group) {
    const double scale = 0.2 + random.uniform(), harder = random.uniform() < hard_share ? 5 : 1;
    for (std::size_t count = 1 + random.below(60); count > 0; --count)
      cases.push_back({100 + 7 * group, harder * scale * (2 * random.uniform() - 1), scale});
  }
  return cases;
}

TEST(Intervals, NinetyPercentExistFromNineGroupsUp) {
  for (std::size_t groups = 1; groups < 9; ++groups) {
    const Calibration few = calibrate(ladder(groups));
    EXPECT_TRUE(few.few_groups) << groups;
    EXPECT_EQ(few.quantile, static_cast<double>(groups));
    EXPECT_EQ(few.groups, groups);
  }
  EXPECT_FALSE(calibrate(ladder(9)).few_groups);
  EXPECT_EQ(calibrate(ladder(9)).quantile, 9);    // the worst error of all groups
  EXPECT_EQ(calibrate(ladder(18)).quantile, 17);  // covers 17 of 18 groups
  EXPECT_EQ(calibrate(ladder(19)).quantile, 18);
  EXPECT_EQ(calibrate(ladder(99)).quantile, 90);
  EXPECT_EQ(calibrate(ladder(3), 0.5).quantile, 2);
}

TEST(Intervals, NothingIsClaimedFromNothing) {
  const Calibration none = calibrate({});
  EXPECT_TRUE(none.few_groups);
  EXPECT_EQ(none.groups, 0u);
  EXPECT_EQ(none.half_width(1), 0);
}

// Each of 19 groups weighs 1/38, and each of 1019 cases weighs another 1/2038. Three groups of one case weigh
// 8 %, and four weigh 11 %.
TEST(Intervals, AGroupWeighsAHalfAndItsCasesAHalf) {
  std::vector<HeldOutCase> cases = ladder(19);
  for (int copy = 0; copy < 1000; ++copy) cases.push_back({0, 1, 1});  // one large group with small errors
  EXPECT_EQ(calibrate(cases).quantile, 16);
  EXPECT_NEAR(calibrate(cases).coverage, 1 - 3 * (1 / 38.0 + 1 / 2038.0), 1e-9);
}

TEST(Intervals, TheSpreadIsTheRootOfTheMeanSquareByGroups) {
  EXPECT_DOUBLE_EQ(calibrate(ladder(3)).spread, std::sqrt(14.0 / 3));
  std::vector<HeldOutCase> cases = {{1, 2, 1},
                                    {1, 2, 1},
                                    {1, 2, 1},
                                    {2, 4, 2},
                                    {2, 0, 2}};  // group 1 has 4; group 2 has 2, the mean of 4 and 0
  EXPECT_DOUBLE_EQ(calibrate(cases).spread, std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(calibrate(cases).deviation(0.5), std::sqrt(3.0) / 2);
  EXPECT_EQ(calibrate({}).spread, 0);
}

TEST(Intervals, DifficultyScalesScoresAndWidths) {
  std::vector<HeldOutCase> cases = ladder(19);
  for (HeldOutCase& one : cases) one.difficulty = 4, one.residual *= 4;
  const Calibration calibration = calibrate(cases);
  EXPECT_EQ(calibration.quantile, 18);
  EXPECT_EQ(calibration.half_width(0.5), 9);
  EXPECT_EQ(calibration.half_width(0), 18 * least_difficulty);
  EXPECT_EQ(calibration.half_width(-3), 18 * least_difficulty);
  EXPECT_EQ(calibrate(std::vector<HeldOutCase>{{0, 1, 0}}).quantile, 1 / least_difficulty);
}

TEST(Intervals, CoverageIsThatOfGroupsHeldOut) {
  // Only the worst of 10 groups exceeds the quantile of the other nine.
  EXPECT_DOUBLE_EQ(calibrate(ladder(10)).coverage, 0.9);
  // For 19 other groups, the quantile is the 18th error. So groups 19 and 20 are not covered.
  EXPECT_DOUBLE_EQ(calibrate(ladder(20)).coverage, 0.9);
  EXPECT_EQ(calibrate(ladder(1)).coverage, 0);
  std::vector<HeldOutCase> equal = ladder(12);
  for (HeldOutCase& one : equal) one.residual = 1;
  EXPECT_EQ(calibrate(equal).coverage, 1);
}

TEST(Intervals, AGroupHeldOutHasNoPartInItsQuantile) {
  // A group's quantile comes from the other nine groups. It is 30, except for the group that contains the 30.
  std::vector<HeldOutCase> cases = ladder(8);
  for (const double residual : {1.5, 30.0}) cases.push_back({8, residual, 1});
  for (const double residual : {9.0, 10.0, 11.0, 12.0, 13.0}) cases.push_back({9, residual, 1});
  EXPECT_NEAR(calibrate(cases).coverage, 1 - (1 / 40.0 + 1 / 30.0), 1e-9);
}

// Returns the fraction of cases within the interval. All groups have equal weight.
double covered(const Calibration& calibration, const std::vector<HeldOutCase>& cases) {
  double sum = 0;
  std::size_t groups = 0;
  for (std::size_t first = 0; first < cases.size(); ++groups) {
    std::size_t last = first, inside = 0;
    for (; last < cases.size() && cases[last].group == cases[first].group; ++last)
      inside += std::abs(cases[last].residual) <= calibration.half_width(cases[last].difficulty) ? 1u : 0u;
    sum += static_cast<double>(inside) / static_cast<double>(last - first);
    first = last;
  }
  return sum / static_cast<double>(groups);
}

// The promised coverage holds on average. The coverage of a single calibration depends on the drawn groups.
TEST(Intervals, NewGroupsAreCoveredAsPromised) {
  const std::vector<HeldOutCase> others = drawn(2000, 77, 0.1);
  for (const std::size_t groups : {14, 99}) {
    double within = 0, said = 0, worst = 0;
    constexpr std::uint64_t seeds = 40;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const Calibration calibration = calibrate(drawn(groups, seed, 0.1));
      EXPECT_FALSE(calibration.few_groups);
      within += covered(calibration, others) / seeds;
      said += calibration.coverage / seeds;
      worst = std::max(worst, calibration.coverage);
    }
    EXPECT_NEAR(within, 0.9, 0.02) << groups;
    EXPECT_NEAR(said, 0.9, 0.02) << groups;
    EXPECT_LT(worst, 0.97) << groups;
  }
}

TEST(Intervals, ScalesThatTheDifficultyTellsLeaveTheScoresUniform) {
  // |residual| / difficulty is uniform on [0, 1). For G groups, the quantile is 90 % of (G + 1) / G.
  EXPECT_NEAR(calibrate(drawn(999, 5)).quantile, 0.9 * 1000 / 999, 0.01);
}

// One part of the errors is constant. The other part grows with the uncertainty after the history correction.
TEST(Intervals, SaysHowErrorsGrowWithWhatMemoryLeavesOpen) {
  for (const double scatter : {0.1, 1.0}) {
    std::vector<HeldOutCase> cases;
    Random random(7);
    for (std::size_t i = 0; i < 4000; ++i) {
      const double open = random.uniform();
      cases.push_back({i, left_of(open, scatter) * std::log(1 - random.uniform()), open});
    }
    EXPECT_NEAR(scatter_of(cases), scatter, 1e-9);
  }
  EXPECT_DOUBLE_EQ(left_of(1, 0.3), 1);
  EXPECT_DOUBLE_EQ(left_of(0, 0.21) * 1.1, std::sqrt(0.21));
}

TEST(Intervals, WhatIsNotFiniteIsRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(calibrate(std::vector<HeldOutCase>{{0, infinity, 1}}), std::invalid_argument);
  EXPECT_THROW(calibrate(std::vector<HeldOutCase>{{0, 1, std::nan("")}}), std::invalid_argument);
}

}  // namespace
}  // namespace sextant::predict
