// Tests of the state of a GPU during the samples, with a stand-in device whose clock changes at a planned
// time, and with a stand-in driver.
#include "engine/case/state_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "engine/case/call_timer.hpp"
#include "faults/cheats.hpp"
#include "record/modes.hpp"

namespace sextant {
namespace {

class ManualClock : public Clock {
 public:
  double now() override { return time; }
  double time = 1000;  // seconds
};

// A host device with cycle counters. Its clock is `first` Hz until the time `step`, then `second` Hz.
class StandInDevice : public Device {
 public:
  explicit StandInDevice(ManualClock& clock) : clock_(clock) {}

  MemorySpace memory_space() const override { return MemorySpace::host; }
  void* map(void* host, std::size_t) override { return host; }
  void unmap(void*, std::size_t) override {}
  void copy_in(void*, const void*, std::size_t) override {}
  void copy_out(void*, void*, std::size_t) override {}
  void fill(void* copy, unsigned char byte, std::size_t bytes) override { std::memset(copy, byte, bytes); }
  void flush_caches() override {}
  std::size_t free_memory() const override { return 0; }
  std::vector<CycleCount> cycle_counts() override {
    ++readings;
    return {{7, static_cast<std::uint64_t>(cycles_), static_cast<std::uint64_t>(clock_.time * 1e9)}};
  }

  void work(double seconds) {
    cycles_ += (clock_.time < step ? first : second) * seconds;
    clock_.time += seconds;
  }

  double first = 1.98e9, second = 1.71e9, step = 1e9;
  int readings = 0;

 private:
  ManualClock& clock_;
  double cycles_ = 0;
};

// Takes `samples` samples of `seconds` each.
void take(StateWatch& watch, StandInDevice& device, int samples, double seconds) {
  for (int i = 0; i < samples; ++i) {
    watch.begin();
    device.work(seconds);
  }
  watch.end();
}

std::vector<int> samples_of(const SampledState& state) {
  std::vector<int> samples;
  for (const SampleGroup& group : state.groups) samples.push_back(group.samples);
  return samples;
}

TEST(MeanClock, NeedsTwoReadingsOfOneMultiprocessor) {
  const std::uint64_t millisecond = 1'000'000;
  const std::vector<CycleCount> first = {{3, 1000, 5 * millisecond}, {4, 2000, 5 * millisecond}};
  const std::vector<CycleCount> last = {{2, 9000, 6 * millisecond}, {4, 1'502'000, 6 * millisecond}};
  ASSERT_TRUE(mean_clock(first, last));
  EXPECT_DOUBLE_EQ(*mean_clock(first, last), 1.5e9);
  EXPECT_FALSE(mean_clock(first, {{2, 9000, 6 * millisecond}}));
  EXPECT_FALSE(mean_clock(first, {{4, 3000, 5 * millisecond + 1000}})) << "too close for the resolution";
  EXPECT_FALSE(mean_clock(first, {{4, 1000, 6 * millisecond}})) << "the counter was reset";
  EXPECT_FALSE(mean_clock({}, {}));
}

TEST(StateWatch, GroupsShortSamplesAndReadsTheCountersOnceForEachGroup) {
  ManualClock clock;
  StandInDevice device(clock);
  StateWatch watch(&device, {}, clock);
  take(watch, device, 50, 0.00011);
  const SampledState state = watch.finish();
  EXPECT_EQ(samples_of(state), (std::vector<int>{19, 19, 12}));
  EXPECT_LE(device.readings, 5) << "one to load the kernel, one at each end of a group";
  ASSERT_TRUE(clock_of(state));
  EXPECT_NEAR(*clock_of(state), 1.98e9, 1e5);
  EXPECT_FALSE(state.groups[0].throttled);
  EXPECT_FALSE(state.power);
}

TEST(StateWatch, FindsAPlantedStepOfTheClock) {
  ManualClock clock;
  StandInDevice device(clock);
  device.step = clock.time + 0.0335;
  StateWatch watch(&device, {}, clock);
  take(watch, device, 500, 0.00011);
  Measurement m;
  m.states = {watch.finish()};
  const std::vector<SampleGroup>& groups = m.states[0].groups;
  ASSERT_EQ(groups.size(), 27u);
  EXPECT_NEAR(*groups.front().clock, 1.98e9, 1e6);
  EXPECT_NEAR(*groups.back().clock, 1.71e9, 1e6);
  EXPECT_EQ(modes_text(m), "59 % at 1980 MHz, 41 % at 1710 MHz");
}

// Work between groups, such as an audit, does not belong to any group.
TEST(StateWatch, LeavesOutTheTimeBetweenGroups) {
  ManualClock clock;
  StandInDevice device(clock);
  StateWatch watch(&device, {}, clock);
  take(watch, device, 1, 0.1);
  device.step = clock.time;
  device.second = 0.3e9;
  device.work(1);
  device.second = 1.71e9;
  take(watch, device, 1, 0.1);
  const SampledState state = watch.finish();
  ASSERT_EQ(state.groups.size(), 2u);
  EXPECT_NEAR(*state.groups[0].clock, 1.98e9, 1e6);
  EXPECT_NEAR(*state.groups[1].clock, 1.71e9, 1e6);
}

TEST(StateWatch, DropsGroups) {
  ManualClock clock;
  StandInDevice device(clock);
  StateWatch watch(&device, {}, clock);
  for (int samples = 1; samples <= 5; ++samples) take(watch, device, samples, 0.0001);
  watch.keep_first(4);
  watch.keep_last({0, 1, 0});
  EXPECT_EQ(samples_of(watch.finish()), (std::vector<int>{1, 3}));
}

// A driver that is throttled and at 700 W from its sixth reading on. Outside the samples it reports 5000 W,
// which does not count.
TEST(StateWatch, MarksTheSamplesOfAThrottledTime) {
  SteadyClock clock;
  std::atomic<int> readings = 0;
  std::atomic<bool> sampling = false;
  const auto read = [&] {
    const bool throttled = ++readings > 5;
    GpuState state;
    state.clock = throttled ? 1.71e9 : 1.98e9;
    state.power = !sampling ? 5000 : throttled ? 700 : 500;
    state.temperature = 40;
    state.max_clock = 1.98e9;
    if (throttled) state.throttle_reasons = {"power cap"};
    return state;
  };
  StateWatch watch(nullptr, read, clock);
  const auto pause = [](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  while (readings < 2) pause(1);
  sampling = true;
  for (int i = 0; i < 5; ++i) {
    watch.begin();
    const int before = readings;
    while (readings < before + 2) pause(1);
    watch.end();
  }
  sampling = false;
  const int outside = readings + 3;
  while (readings < outside) pause(1);
  const SampledState state = watch.finish();
  ASSERT_EQ(state.groups.size(), 5u);
  EXPECT_EQ(state.groups.front().throttled, false);
  EXPECT_EQ(state.groups.back().throttled, true);
  EXPECT_EQ(state.throttle_reasons, "power cap");
  EXPECT_EQ(state.temperature, 40.0);
  EXPECT_EQ(watch.max_clock(), 1.98e9);
  EXPECT_GT(*state.power, 500);
  EXPECT_LT(*state.power, 700);
  EXPECT_EQ(state.groups.front().clock, 1.98e9) << "without counters the driver's clock is used";
  Measurement m;
  m.states = {state};
  EXPECT_GT(*throttled_share(m), 0.3);
  EXPECT_LT(*throttled_share(m), 0.9);
}

TEST(StateWatch, AsksTheDriverAfterwardsIfTheSamplesWereShort) {
  ManualClock clock;
  StandInDevice device(clock);
  int readings = 0;
  const auto read = [&] {
    ++readings;
    GpuState state;
    state.power = 300;
    return state;
  };
  StateWatch watch(nullptr, read, clock);
  take(watch, device, 1, 0.0001);
  const SampledState state = watch.finish();
  EXPECT_EQ(readings, 1);
  EXPECT_EQ(state.power, 300.0);
  EXPECT_FALSE(state.groups.at(0).clock) << "the driver does not report the clock";
}

// The timer of calls, with short calls and with long calls, each of which is audited.
class Timed : public testing::Test {
 protected:
  Measurement measure(double seconds, double step, bool cold = false) {
    const Kernel kernel = costly_kernel();
    const std::vector<Variant> all = serial_cheats();
    Variant variant =
        *std::find_if(all.begin(), all.end(), [](const Variant& one) { return one.name == "baseline"; });
    static StandInDevice* current;
    static double duration;
    static const auto launch = variant.launch.float32;
    StandInDevice device(clock_);
    current = &device;
    duration = seconds;
    variant.launch.float32 = [](const Call& call) {
      launch(call);
      current->work(duration);
    };
    device.step = clock_.time + step;
    const Problem problem = {1000, ElementType::float32, kernel.extents(1000), {}};
    Workset workset(kernel, problem, 7);
    workset.compute_reference();
    DeviceCopies copies(device, workset);
    copies.copy_in(DeviceCopies::Which::all, 0xFF);
    const Call call{problem, nullptr, copies.arrays(), device.stream(), nullptr};
    Settings settings;
    settings.min_samples = settings.max_samples = 40;
    settings.all_samples = true;
    settings.case_seconds = 100;
    StateWatch watch(&device, {}, clock_);
    double expected = 0;
    Filling filling = 0;
    Measurement measurement;
    measurement.status = Status::ok;
    CallTimer timer({variant, call, device, workset, copies}, settings, {clock_, 0, 1e-9}, cold,
                    [](Stage) {});
    timer.next_filling = [&](bool) { return AuditFilling{++filling, true}; };
    timer.expected = &expected;
    timer.state = &watch;
    EXPECT_TRUE(timer.time(seconds, &measurement)) << measurement.reason;
    measurement.states = {watch.finish()};
    return measurement;
  }

  int samples_in_groups(const Measurement& m) {
    int count = 0;
    for (const SampleGroup& group : m.states.at(0).groups) count += group.samples;
    return count;
  }

  ManualClock clock_;
};

TEST_F(Timed, ShortCallsHaveTheirClocks) {
  const Measurement m = measure(0.001, 0.04);  // warm-up calls take the first 10 ms
  EXPECT_EQ(samples_in_groups(m), static_cast<int>(m.call_times.size()));
  EXPECT_GE(m.states[0].groups.size(), 10u);
  const std::string text = modes_text(m);
  EXPECT_NE(text.find("1980 MHz"), std::string::npos) << text;
  EXPECT_NE(text.find("1710 MHz"), std::string::npos) << text;
}

TEST_F(Timed, ColdCallsHaveTheirClocks) {
  const Measurement m = measure(0.001, 0, true);
  EXPECT_EQ(samples_in_groups(m), static_cast<int>(m.call_times.size()));
  EXPECT_NEAR(*clock_of(m.states[0]), 1.71e9, 1e6);
}

TEST_F(Timed, EachLongCallHasItsClock) {
  const Measurement m = measure(0.5, 8.2);
  const std::vector<SampleGroup>& groups = m.states[0].groups;
  ASSERT_GE(groups.size(), 38u);
  EXPECT_LE(groups.size(), m.call_times.size());
  EXPECT_NEAR(*groups.front().clock, 1.98e9, 1e6);
  EXPECT_NEAR(*groups.back().clock, 1.71e9, 1e6);
  for (const SampleGroup& group : groups) EXPECT_EQ(group.samples, 1);
  EXPECT_NE(modes_text(m).find(" at 1710 MHz"), std::string::npos) << modes_text(m);
}

}  // namespace
}  // namespace sextant
