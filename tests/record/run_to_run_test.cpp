// How far runs come out apart: learnt from cases that were measured twice, and what intervals become by it.
#include "record/run_to_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace sextant {
namespace {

Case case_of(const std::string& variant, std::int64_t n) {
  Case what;
  what.kernel = "triad";
  what.variant = variant;
  what.problem.n = n;
  what.device = "cpu";
  return what;
}

// Runs of cases of 1 second whose logarithms vary by `between` from run to run, and whose samples' intervals have half
// widths from 0.1 % to 10 %, each the truth about what the samples add.
struct Machine {
  double between = 0;
  std::mt19937 random{7};

  Interval run() {
    const double half_width = std::pow(10.0, std::uniform_real_distribution(-3.0, -1.0)(random));
    const double deviation = std::hypot(between, half_width / 1.96);
    const double median = std::exp(std::normal_distribution(0.0, deviation)(random));
    return {median * std::exp(-half_width), median, median * std::exp(half_width), median, 100};
  }

  std::vector<Repeated> pairs(int count, const std::string& variant = "serial.baseline") {
    std::vector<Repeated> pairs;
    for (int i = 0; i < count; ++i) pairs.push_back({case_of(variant, i), run(), run()});
    return pairs;
  }
};

TEST(RunToRun, IsWhatRunsDifferByBeyondTheirIntervals) {
  for (const double between : {0.01, 0.1, 0.5}) {
    const std::optional<RunToRun> noise = run_to_run(Machine{between}.pairs(1000));
    ASSERT_TRUE(noise);
    EXPECT_NEAR(noise->deviation, between, 0.15 * between);
    EXPECT_EQ(noise->pairs, 1000);
  }
}

TEST(RunToRun, IsNothingWhereTheIntervalsSayItAll) {
  std::vector<Repeated> pairs = Machine{}.pairs(20);
  for (Repeated& pair : pairs) pair.again = pair.first;
  EXPECT_EQ(run_to_run(pairs)->deviation, 0);
  EXPECT_LT(run_to_run(Machine{}.pairs(1000))->deviation, 0.002);
}

TEST(RunToRun, NeedsPairsWithIntervals) {
  EXPECT_FALSE(run_to_run(Machine{0.1}.pairs(3)));
  std::vector<Repeated> pairs = Machine{0.1}.pairs(4);
  EXPECT_TRUE(run_to_run(pairs));
  pairs[0].again.samples = 5;
  EXPECT_FALSE(run_to_run(pairs));
}

// What it is for: the interval of the ratio of two runs' medians holds 1 as often as it claims.
TEST(RunToRun, MakesIntervalsHoldWhatOtherRunsFind) {
  Machine machine{0.1};
  int agree = 0, agree_before = 0;
  constexpr int trials = 2000;
  for (int i = 0; i < trials; ++i) {
    const RunToRun noise = *run_to_run(machine.pairs(12));
    const Interval one = machine.run(), other = machine.run();
    const auto agrees = [](const Interval& a, const Interval& b) {
      const Interval ratio = ratio_of_medians(a, b);
      return ratio.low <= 1 && ratio.high >= 1;
    };
    agree += agrees(across_runs(one, noise), across_runs(other, noise));
    agree_before += agrees(one, other);
  }
  EXPECT_GT(agree, 0.93 * trials);
  EXPECT_LT(agree_before, 0.5 * trials);
}

TEST(RunToRun, WidensEachSideOnTheLogarithmicScale) {
  const Interval wide = across_runs({0.9, 1, 1.2, 0.8, 50}, {0.1, 12});
  EXPECT_NEAR(std::log(wide.low), -std::hypot(std::log(0.9), 0.2179), 1e-12);
  EXPECT_NEAR(std::log(wide.high), std::hypot(std::log(1.2), 0.2179), 1e-12);
  EXPECT_EQ(wide.median, 1);
  EXPECT_EQ(wide.minimum, 0.8);
  EXPECT_GT(across_runs({0.9, 1, 1.2, 0.8, 50}, {0.1, 4}).high, wide.high) << "fewer pairs know less";
  EXPECT_EQ(across_runs({0.9, 1, 1.2, 0.8, 5}, {0.1, 12}).high, 1.2) << "five samples have no interval";
}

TEST(RunToRun, IsKeptByDeviceClassAndModel) {
  Environment environment;
  std::vector<Repeated> pairs = Machine{0.2}.pairs(12, "openmp.simd");
  const std::vector<Repeated> serial = Machine{0.02}.pairs(3);
  pairs.insert(pairs.end(), serial.begin(), serial.end());
  record_run_to_run(pairs, &environment);
  ASSERT_EQ(environment.size(), 2u);  // three serial pairs are too few
  const std::optional<RunToRun> openmp = run_to_run_of(environment, case_of("openmp.stream", 9));
  ASSERT_TRUE(openmp);
  EXPECT_EQ(openmp->pairs, 12);
  EXPECT_NEAR(openmp->deviation, run_to_run(std::span(pairs).first(12))->deviation, 1e-4);
  EXPECT_EQ(run_to_run_of(environment, case_of("serial.baseline", 9))->pairs, 15) << "that of all on the CPU";
  Case gpu = case_of("cuda.vector", 9);
  gpu.device = "gpu0";
  EXPECT_FALSE(run_to_run_of(environment, gpu));
}

TEST(RunToRun, IsNotReadFromDamagedText) {
  for (const char* text : {"", "x", "0.1", "0.1 of 3", "-1 of 12", "nan of 12", "inf of 12"})
    EXPECT_FALSE(run_to_run_of({{"run_to_run.cpu", text}}, case_of("serial.baseline", 1))) << text;
}

}  // namespace
}  // namespace sextant
