// Tests of the energy of calls, with stand-in counters that advance in steps.
#include "engine/case/energy_meter.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

namespace sextant {
namespace {

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// Steps of a counter at constant power.
std::vector<EnergyReading> steps_of(double watts, double step, double end) {
  std::vector<EnergyReading> steps;
  for (int i = 0; i * step <= end; ++i) steps.push_back({i * step, 1000 + watts * i * step});
  return steps;
}

TEST(JoulesAt, InterpolatesBetweenSteps) {
  const std::vector<EnergyReading> steps = {{1, 10}, {2, 30}, {4, 40}};
  EXPECT_EQ(joules_at(steps, 1), 10.0);
  EXPECT_EQ(joules_at(steps, 1.5), 20.0);
  EXPECT_EQ(joules_at(steps, 3), 35.0);
  EXPECT_EQ(joules_at(steps, 4), 40.0);
  EXPECT_FALSE(joules_at(steps, 0.99));
  EXPECT_FALSE(joules_at(steps, 4.01));
  EXPECT_FALSE(joules_at({}, 1));
}

TEST(StepSeconds, IsTheMedian) {
  EXPECT_DOUBLE_EQ(step_seconds({{1, 1}, {1.25, 2}, {1.5, 3}, {2.5, 4}}), 0.25);
  EXPECT_EQ(step_seconds({{1, 1}}), 0);
}

TEST(EnergyInWindows, IsThePowerTimesTheTimeOfACall) {
  std::vector<CallMark> marks;
  for (int i = 1; i <= 390; ++i) marks.push_back({0.01 * i, 4 * i});  // a call takes 2.5 ms
  const CallEnergy found = energy_in_windows(steps_of(600, 0.1, 4), marks, 1, 0.5, 6);
  EXPECT_EQ(found.energies.size(), 5u) << "the sixth window would end after the last mark";
  for (const double energy : found.energies) EXPECT_NEAR(energy, 1.5, 1e-9);
  for (const double time : found.times) EXPECT_NEAR(time, 0.0025, 1e-9);
  EXPECT_NEAR(found.window, 0.5, 0.011);
  EXPECT_EQ(energy_in_windows(steps_of(600, 0.1, 4), marks, 1, 0.5, 2).energies.size(), 2u);
}

TEST(EnergyInWindows, AStepOfThePowerIsInItsWindows) {
  std::vector<EnergyReading> steps = steps_of(600, 0.1, 2);
  for (int i = 1; i <= 20; ++i) steps.push_back({2 + 0.1 * i, 1000 + 1200 + 300 * 0.1 * i});
  std::vector<CallMark> marks;
  for (int i = 0; i <= 400; ++i) marks.push_back({0.01 * i, i});
  const CallEnergy found = energy_in_windows(steps, marks, 1, 0.5, 4);
  ASSERT_EQ(found.energies.size(), 4u);
  EXPECT_NEAR(found.energies[0], 6, 0.01);
  EXPECT_NEAR(found.energies[1], 6, 0.1);
  EXPECT_NEAR(found.energies[3], 3, 0.01);
}

TEST(EnergyInWindows, LongCallsHaveAWindowEach) {
  const CallEnergy found =
      energy_in_windows(steps_of(100, 0.1, 10), {{0, 0}, {2, 1}, {4, 2}, {6, 3}}, 0, 0.5, 6);
  ASSERT_EQ(found.energies.size(), 3u);
  EXPECT_NEAR(found.energies[0], 200, 1e-9);
  EXPECT_EQ(found.window, 2);
}

TEST(EnergyInWindows, AWindowWithoutStepsAfterItHasNoEnergy) {
  EXPECT_TRUE(energy_in_windows(steps_of(100, 0.1, 1), {{0.5, 0}, {1.5, 1}}, 0, 0.5, 6).energies.empty());
}

// A device whose power is `busy` watts while a call runs, and `idle` watts else. Its counter advances every
// `step` seconds.
class StandIn {
 public:
  double busy = 500, idle = 100, step = 0.004;

  std::optional<double> read() {
    const std::lock_guard lock(mutex_);
    const double now = clock_.now();
    if (now >= shown_at_ + step) {
      shown_ = joules_ + (calling_ ? busy : idle) * (now - last_);
      shown_at_ = now;
    }
    return shown_;
  }
  void begin() {
    const std::lock_guard lock(mutex_);
    add(idle);
    calling_ = true;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    add(busy);
    calling_ = false;
  }
  void run(int calls) {
    begin();
    sleep(call_seconds * calls);
    end();
  }

  static constexpr double call_seconds = 0.001;

 private:
  void add(double watts) {
    const double now = clock_.now();
    joules_ += watts * (now - last_);
    last_ = now;
  }

  SteadyClock clock_;
  std::mutex mutex_;
  bool calling_ = false;
  double last_ = clock_.now(), joules_ = 0, shown_ = 0, shown_at_ = 0;
};

EnergyPlan short_plan() {
  EnergyPlan plan;
  plan.window_seconds = 0.08;
  plan.lead_in = 0.02;
  plan.idle_after = 0.01;
  plan.longest_step = 0.1;
  plan.poll_seconds = 5e-4;
  return plan;
}

TEST(MeasureEnergy, FindsTheEnergyOfCalls) {
  StandIn device;
  SteadyClock clock;
  const CallEnergy found = measure_energy([&](int calls) { device.run(calls); }, StandIn::call_seconds,
                                          [&] { return device.read(); }, clock, short_plan());
  EXPECT_EQ(found.obstacle, "");
  ASSERT_EQ(found.energies.size(), 6u);
  ASSERT_EQ(found.energies.size(), found.times.size());
  std::vector<double> watts;
  for (std::size_t i = 0; i < found.energies.size(); ++i) {
    EXPECT_GE(found.times[i], StandIn::call_seconds);
    watts.push_back(found.energies[i] / found.times[i]);
  }
  // The calls fill nearly the whole time, so that the power is nearly that of a busy device. A busy machine
  // may stop this process for a while.
  EXPECT_NEAR(median_interval(watts).median, 500, 60);
  EXPECT_GE(found.window, 0.08);
}

TEST(MeasureEnergy, TheStepsOfTheCounterDecideTheWindow) {
  StandIn device;
  device.step = 0.02;
  SteadyClock clock;
  EnergyPlan plan = short_plan();
  plan.windows = 1;
  const CallEnergy found = measure_energy([&](int calls) { device.run(calls); }, StandIn::call_seconds,
                                          [&] { return device.read(); }, clock, plan);
  EXPECT_GE(found.window, 0.18) << "10 steps of 20 ms and a little more";
}

TEST(MeasureEnergy, ACounterThatStandsStillTellsNothing) {
  SteadyClock clock;
  EnergyPlan plan = short_plan();
  plan.longest_step = 0.01;
  CallEnergy found = measure_energy([](int) { sleep(0.001); }, 0.001, [] { return 5.0; }, clock, plan);
  EXPECT_EQ(found.obstacle, "the energy counter does not advance");
  EXPECT_TRUE(found.energies.empty());
  found = measure_energy([](int) { sleep(0.001); }, 0.001, [] { return std::nullopt; }, clock, plan);
  EXPECT_EQ(found.obstacle, "the energy counter does not advance");
}

TEST(MeasureEnergy, CallsOfManySecondsAreNotRepeated) {
  SteadyClock clock;
  int calls = 0;
  const CallEnergy found = measure_energy([&](int) { ++calls; }, 30, [] { return 5.0; }, clock, {});
  EXPECT_EQ(found.obstacle, "a call takes 30 s, longer than 5 s");
  EXPECT_EQ(calls, 0);
}

TEST(IdlePower, IsThatWithoutCalls) {
  StandIn device;
  SteadyClock clock;
  const std::optional<double> power = measure_idle_power([&] { return device.read(); }, clock, short_plan());
  ASSERT_TRUE(power);
  EXPECT_NEAR(*power, 100, 25);
  EnergyPlan plan = short_plan();
  plan.longest_step = 0.01;
  EXPECT_FALSE(measure_idle_power([] { return 5.0; }, clock, plan));
}

}  // namespace
}  // namespace sextant
