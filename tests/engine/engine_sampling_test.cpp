// Tests of sampling with a simulated clock: the number of samples and their values.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"
#include "record/statistics.hpp"

namespace sextant {
namespace {

class FakeClock : public Clock {
 public:
  double now() override {
    time += reading;
    return time;
  }
  double time = 100, reading = 0;  // seconds; `reading` is the cost of one clock reading
};

struct Count : StoppingRule {
  explicit Count(std::size_t wanted_) : wanted(wanted_) {}
  bool enough(std::span<const double> samples, double) override { return samples.size() >= wanted; }
  std::size_t wanted;
};

// Samples executions of `seconds(i)` seconds until the stopping rule ends, and returns the samples.
template <typename Seconds>
std::vector<double> sampled(const Settings& settings, Seconds&& seconds, std::vector<double> samples = {}) {
  FakeClock clock;
  int execution = 0;
  MedianRule rule(settings, seconds(0));
  sample({{}, [&] { clock.time += seconds(execution++); }}, clock, 0, rule, &samples);
  return samples;
}

TEST(Sampling, TakesTheClocksCostOff) {
  FakeClock clock;
  clock.reading = 0.25;
  EXPECT_DOUBLE_EQ(clock_cost(clock), 0.25);
  Count three(3);
  std::vector<double> samples;
  sample({{}, [&] { clock.time += 2; }}, clock, 0.25, three, &samples);
  EXPECT_EQ(samples, (std::vector<double>{2, 2, 2}));
}

TEST(Sampling, IsNeverNegative) {
  FakeClock clock;
  Count one(1);
  std::vector<double> samples;
  sample({{}, [] {}}, clock, 0.25, one, &samples);
  EXPECT_EQ(samples, (std::vector<double>{0}));
}

TEST(Sampling, DoesNotCountWhatLiesBetween) {
  FakeClock clock;
  Count four(4);
  std::vector<double> samples;
  int flushed = 0;
  sample({[&] { ++flushed, clock.time += 5; }, [&] { clock.time += 1; }}, clock, 0, four, &samples);
  EXPECT_EQ(samples, (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(flushed, 4);
}

TEST(Sampling, StopsSoonWhereNothingVaries) {
  const Settings settings;
  EXPECT_EQ(sampled(settings, [](int) { return 1e-2; }).size(), 11u);
}

TEST(Sampling, GoesOnUntilTheIntervalWasTightForAWhile) {
  Settings settings;
  settings.max_samples = 100000;
  const std::size_t alike = sampled(settings, [](int) { return 1e-5; }).size();
  EXPECT_GE(static_cast<double>(alike) * 1e-5, settings.least_seconds);
  EXPECT_LT(static_cast<double>(alike) * 1e-5, 1.5 * settings.least_seconds);
  // Calls that become slow after the first samples are still noticed.
  const std::vector<double> slower = sampled(settings, [](int i) { return i < 20 ? 1e-5 : 3e-5; });
  EXPECT_NEAR(median_interval(slower).median, 3e-5, 1e-9);
}

TEST(Sampling, TheClocksResolutionCounts) {
  Settings settings;
  settings.max_noise = 0.01;
  MedianRule known(settings, 1e-6, 0), coarse(settings, 1e-6, 2e-8);
  const std::vector<double> samples(20, 1e-6);
  EXPECT_FALSE(known.enough(samples, 0.1));
  EXPECT_TRUE(known.enough(std::vector<double>(40, 1e-6), 0.15));
  EXPECT_FALSE(coarse.enough(samples, 0.1));
  EXPECT_FALSE(coarse.enough(std::vector<double>(40, 1e-6), 0.15));
}

// A clock with a resolution of 10 ns. Each reading advances it by 25 ns.
class CoarseClock : public Clock {
 public:
  double now() override {
    time += 2.5e-8;
    return std::floor(time / 1e-8) * 1e-8;
  }
  double time = 1;
};

TEST(Sampling, FindsTheClocksStep) {
  CoarseClock clock;
  EXPECT_NEAR(clock_step(clock), 1e-8, 1e-10);
}

TEST(Sampling, ShortCallsAreTimedInARow) {
  Settings settings;
  settings.least_seconds = 0.01;
  settings.max_samples = 1000;  // 10 us per sample
  CoarseClock clock;
  const auto calls_for = [&](double seconds, double step) {
    return calls_per_sample(in_a_row([&] { clock.time += seconds; }, clock), seconds, step, settings);
  };
  EXPECT_EQ(calls_for(1e-3, 1e-8), 1);
  EXPECT_NEAR(calls_for(1e-7, 1e-9), 100, 15);
  EXPECT_NEAR(calls_for(1e-7, 1e-7), 1000, 150);
  FakeClock fake;
  Count two(2);
  std::vector<double> samples;
  sample({{}, [&] { fake.time += 3; }, 4}, fake, 0, two, &samples);
  EXPECT_EQ(samples, (std::vector<double>{3, 3}));
}

TEST(Sampling, GoesOnWhileTheMedianIsNoisy) {
  Settings settings;
  settings.case_seconds = 1e9;
  settings.max_samples = 100000;
  // The samples are uniform between 1 and 2. The 95 % half width is about 0.98 * density^-1 / sqrt(n) / 2,
  // which is 1 % of 1.5 at n near 4000.
  const std::size_t count =
      sampled(settings, [](int i) { return 1 + 0.618034 * i - static_cast<int>(0.618034 * i); }).size();
  EXPECT_GT(count, 500u);
  EXPECT_LT(count, 20000u);
}

TEST(Sampling, StopsWhenTheTimeIsSpent) {
  Settings settings;
  settings.case_seconds = 0.2;
  const std::vector<double> samples = sampled(settings, [](int i) { return i % 2 ? 1e-3 : 3e-3; });
  EXPECT_NEAR(static_cast<double>(samples.size()), 100, 2);
}

// Returns the sampled seconds. An execution takes 0.1 ms; it takes longer by the fraction `more` in the first
// quarter of `step` seconds and in every second interval of `step` seconds.
double sampled_of_steps(const Settings& settings, double more, double step) {
  double spent = 0;
  const std::vector<double> steps = sampled(settings, [&](int) {
    const bool slow = spent < step / 4 || static_cast<int>(spent / step) % 2;
    const double seconds = slow ? 1e-4 * (1 + more) : 1e-4;
    spent += seconds;
    return seconds;
  });
  return std::accumulate(steps.begin(), steps.end(), 0.0);
}

Settings settings_of_many_samples() {
  Settings settings;
  settings.case_seconds = 0.2;
  settings.max_samples = 100000;
  return settings;
}

// Slow noise is a problem of the machine, and more samples would not narrow the interval.
TEST(Sampling, StopsAtAnEighthOfTheTimeWhereTheNoiseIsSlow) {
  const Settings settings = settings_of_many_samples();
  EXPECT_NEAR(sampled_of_steps(settings, 0.03, 0.02), settings.case_seconds / 8, 0.01);
}

// A little more time may make the interval narrow enough.
TEST(Sampling, StopsAtHalfTheTimeWhereTheNoiseIsSlowAndTheIntervalNearlyNarrow) {
  Settings settings = settings_of_many_samples();
  settings.max_noise = 0.09;  // the interval is wider than this, but less than twice as wide
  EXPECT_NEAR(sampled_of_steps(settings, 0.1, 0.02), settings.case_seconds / 2, 0.02);
}

// The interval is much wider than the scatter between runs, so more samples still improve the result.
TEST(Sampling, StopsAtHalfTheTimeWhereTheNoiseIsSlowAndLarge) {
  const Settings settings = settings_of_many_samples();
  EXPECT_NEAR(sampled_of_steps(settings, 0.1, 0.02), settings.case_seconds / 2, 0.02);
}

TEST(Sampling, NoiseHasToBeSlowForAWhileToEndTheSamplesEarly) {
  Settings settings = settings_of_many_samples();
  EXPECT_NEAR(sampled_of_steps(settings, 0.03, 0.03), 0.026, 0.004);
  settings.least_seconds = 0.02;
  EXPECT_NEAR(sampled_of_steps(settings, 0.03, 0.03), 0.037, 0.004);
  // Short time limits, as in comparisons, are used up to half even if the noise is slow.
  settings.least_seconds = 0.002;
  settings.case_seconds = 0.02;
  EXPECT_NEAR(sampled_of_steps(settings, 0.03, 0.004), 0.01, 0.002);
}

TEST(Sampling, StopsAtTheMostSamples) {
  Settings settings;
  settings.max_samples = 37;
  EXPECT_EQ(sampled(settings, [](int i) { return i % 2 ? 1e-6 : 3e-6; }).size(), 37u);
}

TEST(Sampling, TakesFewSamplesOfLongExecutions) {
  Settings settings;
  settings.min_samples = 10;
  settings.case_seconds = 0.2;
  EXPECT_EQ(least_samples(settings, 0), 10u);
  EXPECT_EQ(least_samples(settings, 0.1), 10u);
  EXPECT_EQ(least_samples(settings, 0.19), 6u);  // the fewest samples that have a 95 % interval
  EXPECT_EQ(least_samples(settings, 0.4), 3u);
  EXPECT_EQ(least_samples(settings, 1), 2u);
  EXPECT_EQ(least_samples(settings, 4.9), 2u);
  EXPECT_EQ(least_samples(settings, 5.1), 1u);
  settings.stay_seconds = 0.0125;  // other processes take more samples later
  EXPECT_EQ(least_samples(settings, 0.03), 10u);
  EXPECT_EQ(least_samples(settings, 0.09), 3u);
  EXPECT_EQ(least_samples(settings, 4.9), 2u);
  EXPECT_EQ(least_samples(settings, 5.1), 1u);
  settings.min_samples = 1;
  EXPECT_EQ(least_samples(settings, 1), 1u);
}

TEST(Sampling, TakesAllSamplesOfLongExecutionsIfAsked) {
  Settings settings;
  settings.min_samples = settings.max_samples = 40;
  settings.all_samples = true;
  EXPECT_EQ(least_samples(settings, 0.4), 40u);
  EXPECT_EQ(least_samples(settings, 100), 40u);
  EXPECT_EQ(sampled(settings, [](int) { return 2.0; }, {2.0}).size(), 40u);
}

TEST(Sampling, ExecutionsOfTheCheckMayBeEnough) {
  const Settings settings;
  EXPECT_EQ(sampled(settings, [](int) { return 10.0; }, {10.0}).size(), 1u);
  EXPECT_EQ(sampled(settings, [](int) { return 2.0; }, {2.0, 2.0}).size(), 2u);
  EXPECT_EQ(sampled(settings, [](int) { return 0.4; }, {0.4, 0.4}).size(), 3u);
}

TEST(Sampling, SteadyClockMovesForward) {
  SteadyClock clock;
  const double first = clock.now();
  EXPECT_GE(clock.now(), first);
  const double cost = clock_cost(clock);
  EXPECT_GE(cost, 0);
  EXPECT_LT(cost, 1e-4);
}

}  // namespace
}  // namespace sextant
