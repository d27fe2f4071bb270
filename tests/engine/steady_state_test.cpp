// Tests of reaching a steady state, on a clock that calls advance and with a stand-in driver.
#include "engine/case/steady_state.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sextant {
namespace {

class ManualClock : public Clock {
 public:
  double now() override { return time; }
  double time = 1000;  // seconds
};

using Readings = std::vector<StateReader::Reading>;

// Readings every half second for `seconds`, whose clock and temperature are functions of the time.
template <typename ClockRate, typename Temperature>
Readings readings_of(double seconds, ClockRate clock, Temperature temperature) {
  Readings readings;
  for (double time = 0; time <= seconds; time += 0.5) {
    GpuState state;
    state.clock = clock(time);
    state.temperature = temperature(time);
    readings.push_back({time, state});
  }
  return readings;
}

double same_clock(double) { return 1.98e9; }
double same_temperature(double) { return 50; }

TEST(IsSteady, NeedsAWholeWindow) {
  const SteadyPlan plan;
  EXPECT_FALSE(is_steady({}, plan));
  EXPECT_FALSE(is_steady(readings_of(9.5, same_clock, same_temperature), plan));
  EXPECT_TRUE(is_steady(readings_of(10, same_clock, same_temperature), plan));
}

TEST(IsSteady, TemperatureAndClockMustStay) {
  const SteadyPlan plan;
  const auto warming = [](double time) { return 40 + std::floor(time / 4); };
  EXPECT_FALSE(is_steady(readings_of(20, same_clock, warming), plan));
  const auto step = [](double time) { return time < 15 ? 1.98e9 : 1.71e9; };
  EXPECT_FALSE(is_steady(readings_of(20, step, same_temperature), plan));
  EXPECT_TRUE(is_steady(readings_of(30, step, same_temperature), plan)) << "the step is long ago";
  const auto changing = [](double time) { return std::fmod(time, 1) < 0.5 ? 1.5e9 : 1.8e9; };
  EXPECT_TRUE(is_steady(readings_of(20, changing, same_temperature), plan))
      << "a clock at the power limit changes all the time, but its mean stays";
}

TEST(IsSteady, WhatTheDriverDoesNotReportDoesNotCount) {
  const SteadyPlan plan;
  const auto nothing = [](double) { return std::optional<double>(); };
  EXPECT_TRUE(is_steady(readings_of(20, nothing, same_temperature), plan));
  EXPECT_TRUE(is_steady(readings_of(20, same_clock, nothing), plan));
  EXPECT_FALSE(is_steady(readings_of(20, nothing, nothing), plan));
}

// A GPU whose temperature approaches 70 degrees with a time constant of 20 s of calls.
class Warming : public testing::Test {
 protected:
  SteadyEnd run(const SteadyPlan& plan, bool reports = true) {
    const auto call = [&](int calls) {
      calls_ += calls;
      clock_.time += 0.002 * calls;
    };
    const auto read = [&] {
      GpuState state;
      if (!reports) return state;
      state.temperature = std::round(70 - 30 * std::exp(-(clock_.time - 1000) / 20));
      state.clock = 1.9e9;
      return state;
    };
    return call_until_steady(call, 0.002, read, clock_, plan);
  }
  ManualClock clock_;
  int calls_ = 0;
};

TEST_F(Warming, IsCalledUntilItIsWarm) {
  const SteadyEnd end = run({});
  EXPECT_EQ(end.obstacle, "");
  // 30 degrees times exp(-t / 20 s) change by a degree in ten seconds from about 50 s on.
  EXPECT_GT(end.seconds, 35);
  EXPECT_LT(end.seconds, 60);
  EXPECT_NEAR(calls_ * 0.002, end.seconds, 0.01);
}

TEST_F(Warming, IsGivenUpAfterTheLongestTime) {
  SteadyPlan plan;
  plan.longest = 20;
  const SteadyEnd end = run(plan);
  EXPECT_EQ(end.obstacle, "its clock or temperature still changed after 20 s of calls");
  EXPECT_NEAR(end.seconds, 20, 0.01);
}

TEST_F(Warming, IsNotAwaitedIfTheDriverReportsNothing) {
  const SteadyEnd end = run({}, false);
  EXPECT_EQ(end.obstacle, "the driver reports neither its clock nor its temperature");
  EXPECT_LT(end.seconds, 2);
}

}  // namespace
}  // namespace sextant
