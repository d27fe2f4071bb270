// Tests of times at other sizes than the measured ones.
#include "predict/size_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sextant::predict {
namespace {

// N equal to the number of items, of 8 bytes each. `memory` and `launches` are in seconds.
ModelledSize items(double count, double memory = 0, double launches = 0) {
  return {{0, count, 8 * count, count}, launches, memory};
}

double seconds(const FittedTime& time) { return std::exp(time.log_time); }

constexpr std::size_t by_items = 1;

TEST(SizeFit, FollowsTheLineThroughTwoSizes) {
  const std::vector<TimedSize> timed = {{items(1000), 3e-6, 0}, {items(8000), 10e-6, 0}};  // 2 µs + 1 ns each
  EXPECT_NEAR(seconds(time_at({}, timed, items(64000), by_items, Option::openmp)), 66e-6, 1e-10);
  EXPECT_NEAR(seconds(time_at({}, timed, items(4000), by_items, Option::openmp)), 6e-6, 1e-10);
}

TEST(SizeFit, TakesTheLaunchFromTheModelIfOneSizeWasMeasured) {
  const std::vector<TimedSize> timed = {{items(1000, 0, 2e-6), 3e-6, 0}};
  EXPECT_NEAR(seconds(time_at({}, timed, items(64000, 0, 2e-6), by_items, Option::cuda)), 66e-6, 1e-10);
}

TEST(SizeFit, GrowsWithMemoryWhereCachesEnd) {
  // Up to 8000 items memory takes half of the time; at 64000, beyond the cache, eight times as long per byte.
  const std::vector<TimedSize> timed = {{items(1000, 0.5e-6), 1e-6, 0}, {items(8000, 4e-6), 8e-6, 0}};
  EXPECT_NEAR(seconds(time_at({}, timed, items(64000, 32e-6), by_items, Option::openmp)), 64e-6, 1e-10);
  EXPECT_NEAR(seconds(time_at({}, timed, items(64000, 256e-6), by_items, Option::openmp)), 256e-6, 1e-9);
  // Code that is faster than the modelled bandwidth at the measured size keeps its lead.
  const std::vector<TimedSize> fast = {{items(1000, 2e-6), 1e-6, 0}, {items(8000, 16e-6), 8e-6, 0}};
  EXPECT_NEAR(seconds(time_at({}, fast, items(64000, 256e-6), by_items, Option::openmp)), 128e-6, 1e-9);
}

TEST(SizeFit, OfLongSerialCodeNearlyDoublesWithTheWork) {
  const std::vector<TimedSize> flat = {{items(1000), 100e-6, 0}, {items(8000), 101e-6, 0}};
  EXPECT_GT(seconds(time_at({}, flat, items(16000), by_items, Option::serial)), 1.9 * 101e-6);
  EXPECT_LT(seconds(time_at({}, flat, items(16000), by_items, Option::cuda)), 1.1 * 101e-6);
  const std::vector<TimedSize> brief = {{items(1000), 1e-6, 0}, {items(8000), 1.1e-6, 0}};
  EXPECT_LT(seconds(time_at({}, brief, items(16000), by_items, Option::serial)), 1.3e-6);
}

TEST(SizeFit, IsLessCertainFarAwayAndWhereItLeavesTheLine) {
  const std::vector<TimedSize> timed = {{items(1000, 1e-6), 1e-6, 0.01}, {items(8000, 8e-6), 8e-6, 0.01}};
  const auto deviation = [&](double count, double memory) {
    return time_at({}, timed, items(count, memory), by_items, Option::openmp).deviation;
  };
  EXPECT_LT(deviation(8000, 8e-6), 0.08);
  EXPECT_GT(deviation(64000, 64e-6), deviation(16000, 16e-6));
  EXPECT_GT(deviation(64000, 640e-6), 1);
  // The slope of two times that differ by less than their noise is not known.
  const std::vector<TimedSize> noisy = {{items(1000), 5e-6, 0.1}, {items(8000), 5.2e-6, 0.1}};
  EXPECT_GT(time_at({}, noisy, items(512000), by_items, Option::cuda).deviation, 0.5);
  EXPECT_EQ(time_at({}, noisy, items(1e12), by_items, Option::cuda).deviation, 2);
}

// Few of the GPU's threads are busy at the measured sizes, so a larger problem takes little longer: between
// what the line (56 µs more) and the model (4 µs more) expect, by the growing part of the measured time.
TEST(SizeFit, OfAGpuThatIsNotFilledLeavesTheLine) {
  const auto size = [](double count, double filled) {
    ModelledSize one = items(count);
    one.work = count * 1e-9 / 14, one.filled = filled;
    return one;
  };
  const std::vector<TimedSize> filled = {{size(1000, 1), 10e-6, 0}, {size(8000, 1), 17e-6, 0}},
                               empty = {{size(1000, 0), 10e-6, 0}, {size(8000, 0), 17e-6, 0}};
  EXPECT_NEAR(seconds(time_at({}, filled, size(64000, 1), by_items, Option::cuda)), 73e-6, 1e-10);
  EXPECT_NEAR(seconds(time_at({}, empty, size(64000, 1), by_items, Option::cuda)),
              17e-6 + 4e-6 * std::pow(14, 0.5 + 0.5 * 8 / 18), 1e-10);
  const std::vector<TimedSize> grown = {{size(1000, 0), 3e-6, 0}, {size(8000, 0), 10e-6, 0}};
  EXPECT_NEAR(seconds(time_at({}, grown, size(64000, 1), by_items, Option::cuda)), 66e-6, 1e-10);
}

TEST(SizeFit, BelowAllSizesIsAPartOfTheSmallestCallAndALaunch) {
  // 1000 items take 1 µs and 8000 items 12 µs, so the line begins below zero.
  const std::vector<TimedSize> timed = {{items(1000), 1e-6, 0}, {items(8000), 12e-6, 0}};
  EXPECT_NEAR(seconds(time_at({}, timed, items(100), by_items, Option::serial)), 0.1e-6, 1e-12);
  EXPECT_NEAR(seconds(time_at({}, timed, items(100, 0, 0.5e-6), by_items, Option::openmp)), 0.5e-6, 1e-12);
}

TEST(SizeFit, FindsTheAmountThatTimesGrowWith) {
  const auto product = [](double n, double time) {  // a matrix product: n items, n^1.5 operations
    return TimedSize{{{std::pow(n, 1.5), n, 8 * n, n}, 0, 0}, time, 0};
  };
  EXPECT_EQ(amount_of_growth({product(100, 1e-6), product(6400, 512e-6)}), 0u);
  EXPECT_EQ(amount_of_growth({product(100, 1e-6), product(6400, 64e-6)}), 1u);
  EXPECT_EQ(amount_of_growth({product(100, 1e-6)}), 0u);
  EXPECT_EQ(amount_of_growth({{items(100), 1e-6, 0}, {items(6400), 64e-6, 0}}), 1u);  // no operations known
}

}  // namespace
}  // namespace sextant::predict
