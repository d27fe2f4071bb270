// Tests of engine components without clocks or processes: messages, memory needs, estimates, warnings and the
// loop over cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "engine/case/audits.hpp"
#include "engine/case/call_timer.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/case/check.hpp"
#include "engine/case/device_pass.hpp"
#include "engine/case/paused_calls.hpp"
#include "engine/case/phases.hpp"
#include "engine/case/transfers.hpp"
#include "engine/concurrent/turns.hpp"
#include "engine/executor.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/form/settings_json.hpp"
#include "engine/form/warnings.hpp"
#include "faults/cheats.hpp"
#include "faults/faults.hpp"
#include "golden.hpp"
#include "plan/estimate.hpp"
#include "plan/memory_need.hpp"
#include "record/json.hpp"
#include "record/json_text.hpp"
#include "registry/registry.hpp"
#include "suite/tunables.hpp"
#include "toolbox/byte_sum.hpp"

namespace sextant {
namespace {

const Kernel& fault_kernel() {
  static const bool added = [] {
    add_fault_kernels();
    return true;
  }();
  (void)added;
  return find_kernel("fault")->kernel;
}

constexpr std::int64_t large = (std::int64_t{1} << 62) + 1;  // a double cannot represent it exactly

Case full_case() {
  Case what;
  what.kernel = "stencil_2d";
  what.variant = "cuda.shared";
  what.problem_class = "A";
  what.problem = {large, ElementType::float64, {large - 2, 3, 2}, {1, -2, large, 4}};
  what.tuning = {{"block_y", 8}, {"block_x", 32}};  // in declaration order, which is not alphabetical
  what.device = "gpu3";
  what.cache = CacheMode::cold;
  return what;
}

TEST(Serialise, CaseKeepsEverything) {
  const Case what = full_case();
  const Case back = case_from(parse_json(to_json(what)));
  EXPECT_EQ(back.kernel, what.kernel);
  EXPECT_EQ(back.variant, what.variant);
  EXPECT_EQ(back.problem_class, what.problem_class);
  EXPECT_EQ(back.problem.n, what.problem.n);
  EXPECT_EQ(back.problem.type, what.problem.type);
  EXPECT_EQ(back.problem.extents, what.problem.extents);
  EXPECT_EQ(back.problem.parameters, what.problem.parameters);
  EXPECT_EQ(back.tuning, what.tuning);
  EXPECT_EQ(back.device, what.device);
  EXPECT_EQ(back.cache, what.cache);
}

Measurement full_measurement() {
  Measurement m;
  m.what = full_case();
  m.status = Status::wrong;
  m.reason = "c[1] is \"nan\"\n";
  m.error = std::numeric_limits<double>::infinity();
  m.tolerance = 0.1;
  m.seed = 0xFFFFFFFFFFFFFFFFu;
  m.call_times = {1.0 / 3, 5e-324, -std::numeric_limits<double>::infinity()};
  m.device_times = {std::numeric_limits<double>::quiet_NaN()};
  m.transfers = {{"a", true, "pinned", large, {1e-3}}, {"c", false, "directive", 8, {}}};
  m.alloc_times = {0.25};
  m.states = {{2, {{3, 1.98e9, true}, {1, {}, {}}}, 512.0, {}, "power cap"}};
  m.gap = 0.5;
  m.gap_times = {0.25, 0.125};
  m.gap_device_times = {0.0625};
  m.energies = {0.5, 0.75};
  m.energy_times = {0.001, 0.002};
  m.energy_window = 0.5;
  m.idle_power = 75.0;
  m.steady_after = 3.5;
  m.standard_tuning = true;
  m.calls_per_sample = 7;
  m.clock_step = 1e-9;
  m.prepare_times = {0.5, 0.125};
  m.first_call = 0.75;
  m.end_to_end_times = {0.5, 0.75};
  m.launches = {{"kernel<float>", {1, 2, 3}, {4, 5, 6}, 7, large, 0.875, 1e-6, 10000}};
  m.counters = {{"dram_bytes_read", 1e12}, {"nan", std::nan("")}};
  m.phases = {{"fft", {1, 2}}};
  m.work = {1, 2, 3, large};
  m.clock = 1.98e9;
  m.power = std::numeric_limits<double>::infinity();
  m.warnings = {"noisy", "x"};
  m.timestamp = "2026-01-01T00:00:00Z";
  return m;
}

TEST(Serialise, MeasurementKeepsEverything) {
  const Measurement m = full_measurement(), back = measurement_from(parse_json(to_json(m)));
  EXPECT_EQ(to_json(back), to_json(m));
  EXPECT_EQ(back.status, Status::wrong);
  EXPECT_EQ(back.reason, m.reason);
  EXPECT_EQ(back.standard_tuning, true);
  EXPECT_EQ(back.error, m.error);
  EXPECT_EQ(back.seed, m.seed);
  EXPECT_EQ(back.call_times, m.call_times);
  EXPECT_TRUE(std::isnan(back.device_times.at(0)));
  EXPECT_EQ(back.transfers.at(0).bytes, large);
  EXPECT_TRUE(back.transfers.at(0).to_device);
  EXPECT_FALSE(back.transfers.at(1).to_device);
  EXPECT_EQ(back.launches.at(0).block, (std::array<int, 3>{4, 5, 6}));
  EXPECT_EQ(back.launches.at(0).shared_memory, large);
  EXPECT_EQ(back.launches.at(0).count, 10000);
  ASSERT_EQ(back.counters.size(), 2u);
  EXPECT_EQ(back.counters[0], m.counters[0]);
  EXPECT_TRUE(std::isnan(back.counters[1].second));
  EXPECT_EQ(back.phases.at(0).times, (std::vector<double>{1, 2}));
  EXPECT_EQ(back.work.items, large);
  EXPECT_EQ(back.clock, m.clock);
  EXPECT_EQ(back.temperature, std::nullopt);
  EXPECT_EQ(back.power, m.power);
  EXPECT_EQ(back.end_to_end_times, m.end_to_end_times);
  EXPECT_EQ(back.alloc_times, m.alloc_times);
  ASSERT_EQ(back.states.size(), 1u);
  EXPECT_EQ(back.states[0].process, 2);
  ASSERT_EQ(back.states[0].groups.size(), 2u);
  EXPECT_EQ(back.states[0].groups[0].clock, 1.98e9);
  EXPECT_EQ(back.states[0].groups[0].throttled, true);
  EXPECT_FALSE(back.states[0].groups[1].clock || back.states[0].groups[1].throttled);
  EXPECT_EQ(back.states[0].power, 512.0);
  EXPECT_EQ(back.states[0].throttle_reasons, "power cap");
  EXPECT_EQ(back.gap, 0.5);
  EXPECT_EQ(back.gap_times, m.gap_times);
  EXPECT_EQ(back.gap_device_times, m.gap_device_times);
  EXPECT_EQ(back.energies, m.energies);
  EXPECT_EQ(back.energy_times, m.energy_times);
  EXPECT_EQ(back.energy_window, 0.5);
  EXPECT_EQ(back.idle_power, 75.0);
  EXPECT_EQ(back.steady_after, 3.5);
  EXPECT_EQ(back.calls_per_sample, 7);
  EXPECT_EQ(back.clock_step, 1e-9);
  EXPECT_EQ(back.prepare_times, m.prepare_times);
  EXPECT_EQ(back.first_call, 0.75);
  EXPECT_EQ(back.warnings, m.warnings);
  EXPECT_EQ(back.timestamp, m.timestamp);
}

// `compare --programs` also runs earlier releases, so the messages of their workers must be readable.
TEST(Serialise, AWorkerOfAnEarlierReleaseIsUnderstood) {
  Json json = parse_json(to_json(full_measurement()));
  for (const char* later : {"standard_tuning", "calls_per_sample", "clock_step", "prepare_times",
                            "first_call", "states", "gap", "gap_times", "gap_device_times", "energies",
                            "energy_times", "energy_window", "idle_power", "steady_after"})
    json.erase(later);
  const Measurement back = measurement_from(json);
  EXPECT_EQ(back.call_times, full_measurement().call_times);
  EXPECT_EQ(back.standard_tuning, std::nullopt);
  EXPECT_EQ(back.calls_per_sample, 1);
}

TEST(Serialise, SettingsKeepWhatIsMeasuredIfAsked) {
  Settings settings;
  settings.energy_windows = 6;
  settings.energy_window = 2;
  settings.steady_seconds = 30;
  Json json = json_of(settings);
  EXPECT_EQ(settings_from(json).energy_windows, 6);
  EXPECT_EQ(settings_from(json).energy_window, 2);
  EXPECT_EQ(settings_from(json).steady_seconds, 30);
  json.erase("energy_windows");  // an earlier release sends none of them
  json.erase("energy_window");
  json.erase("steady_seconds");
  EXPECT_EQ(settings_from(json).energy_windows, 0);
  EXPECT_EQ(settings_from(json).steady_seconds, 0);
}

TEST(Serialise, SettingsKeepTheirPause) {
  Settings settings;
  settings.gap = 0.01;
  Json json = json_of(settings);
  EXPECT_EQ(settings_from(json).gap, 0.01);
  json.erase("gap");  // an earlier release does not send it
  EXPECT_EQ(settings_from(json).gap, 0);
}

TEST(Serialise, EveryStatusAndTypeComesBack) {
  Measurement m = full_measurement();
  for (const Status status : {Status::ok, Status::wrong, Status::skipped, Status::failed, Status::timed_out})
    for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
      m.status = status;
      m.what.problem.type = type;
      const Measurement back = measurement_from(parse_json(to_json(m)));
      EXPECT_EQ(back.status, status);
      EXPECT_EQ(back.what.problem.type, type);
    }
}

TEST(Serialise, TextIsOneLineAndBadBytesDoNoHarm) {
  Measurement m = full_measurement();
  m.reason = "line\nline \xff\xfe";
  const std::string text = to_json(m);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(measurement_from(parse_json(text)).reason.substr(0, 9), "line\nline");
}

TEST(Serialise, ForeignTextIsRefused) {
  for (const char* text : {"", "{", "[]", "{}", "null", "{\"kernel\": 3}"})
    EXPECT_THROW(case_from(parse_json(text)), UserError) << text;
  std::string unknown = to_json(full_case());
  unknown.replace(unknown.find("\"double\""), 8, "\"quadruple\"");
  EXPECT_THROW(case_from(parse_json(unknown)), UserError);
}

TEST(MemoryNeed, CountsArraysGuardsAndTheReference) {
  const Problem problem{2000, ElementType::float32, {1000, 1, 1}, {}};
  const MemoryNeed host = memory_need(fault_kernel(), problem, {}, 100);
  EXPECT_EQ(host.host, 2 * (4000 + 200) + 8000);
  EXPECT_EQ(host.device, 0);
  EXPECT_EQ(memory_need(fault_kernel(), problem, {.memory_space = MemorySpace::cuda}, 100).device,
            2 * (4000 + 200));
}

TEST(MemoryNeed, GoesByEachArraysOwnType) {
  Kernel kernel = fault_kernel();
  kernel.arrays[0].type = ElementType::int32;
  const Problem problem{2000, ElementType::float64, {1000, 1, 1}, {}};
  EXPECT_EQ(memory_need(kernel, problem, {.memory_space = MemorySpace::cuda}, 0).device, 4000 + 8000);
}

TEST(MemoryNeed, NamesTheLargestNThatFits) {
  const Problem problem{2'000'000, ElementType::float32, {1'000'000, 1, 1}, {}};
  EXPECT_EQ(why_too_large(fault_kernel(), problem, {}, 0, 18e6, 0), "");
  // Two elements take 16 bytes on the host, and nine tenths of 10 MB may be used. So 562500 pairs fit.
  const std::string reason = why_too_large(fault_kernel(), problem, {}, 0, 10e6, 0);
  EXPECT_EQ(reason,
            "needs 15.3 MiB of host memory, but only 8.58 MiB of the 9.54 MiB free may be used. The largest "
            "N that fits is 1125001");
  const std::string device =
      why_too_large(fault_kernel(), problem, {.memory_space = MemorySpace::cuda}, 0, 1e9, 4e6);
  EXPECT_EQ(device,
            "needs 7.63 MiB of device memory, but only 3.62 MiB of the 3.81 MiB free may be used. The "
            "largest N that fits is 950001");
}

TEST(MemoryNeed, HugeProblemsDoNotOverflow) {
  const Problem problem{large, ElementType::float64, {large / 2, 1, 1}, {}};
  test::expect_golden(why_too_large(fault_kernel(), problem, {}, 0, 10e6, 0), "engine/parts:huge problem");
}

TEST(MemoryNeed, ShowsBytes) {
  EXPECT_EQ(shown_bytes(0), "0 B");
  EXPECT_EQ(shown_bytes(999), "999 B");
  EXPECT_EQ(shown_bytes(1000), "0.977 KiB");
  EXPECT_EQ(shown_bytes(1.5 * 1024 * 1024 * 1024),
            "1.5 GiB");  // the format of memory sizes in `list devices`
  EXPECT_EQ(shown_bytes(1023.9 * 1024 * 1024), "1 GiB");
}

Case sized(std::int64_t n, const char* variant = "serial.right") {
  Case what;
  what.kernel = "fault";
  what.variant = variant;
  what.problem = {n, ElementType::float32, fault_kernel().extents(n), {}};
  what.device = "cpu";
  return what;
}

TEST(Estimate, WeighsCasesByWhatTheyCost) {
  // A case costs 0.1 s plus 1 ns per element.
  const auto cost = [](const Case& what) { return 0.1 + 1e-9 * static_cast<double>(what.problem.n); };
  std::vector<Case> cases;
  for (const char* variant : {"serial.right", "serial.nothing"})
    for (const std::int64_t n : {1000, 1000000, 100000000, 1000000000}) cases.push_back(sized(n, variant));
  Estimate estimate(cases);
  EXPECT_LT(estimate.remaining(), 0);
  double rest = 0;
  for (const Case& what : cases) rest += cost(what);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    estimate.ended(cases[i], cost(cases[i]));
    rest -= cost(cases[i]);
    if (i >= 2) {
      EXPECT_NEAR(estimate.remaining(), rest, 0.01 + 0.05 * rest) << i;
    }
  }
  EXPECT_NEAR(estimate.remaining(), 0, 1e-9);
}

TEST(Estimate, ScatterOfNearSizesSaysNothingOfFarOnes) {
  // Costs vary between 0.05 and 0.15 s per case. Small cases (from N = 1000) run first, and a thousand cases
  // with N = 67 million follow.
  std::vector<Case> cases;
  for (std::int64_t n = 1000; n < 1080; n += 2) cases.push_back(sized(n));
  const std::size_t near = cases.size();
  for (int i = 0; i < 1000; ++i) cases.push_back(sized(std::int64_t{1} << 26));
  Estimate estimate(cases);
  for (std::size_t i = 0; i < near; ++i) {
    estimate.ended(cases[i], 0.1 + 0.05 * std::sin(static_cast<double>(i)));
    if (i > 2) {
      EXPECT_LT(estimate.remaining(), 400) << i;
    }
  }
}

TEST(Estimate, LearnsThatAVariantIsSlowerThanItsModel) {
  std::vector<Case> cases;
  for (int i = 0; i < 20; ++i) cases.push_back(sized(1000, i % 2 ? "serial.right" : "serial.nothing"));
  for (int i = 0; i < 4; ++i) cases.push_back(sized(1000, "serial.nothing"));
  Estimate estimate(cases);
  for (int i = 0; i < 20; ++i) estimate.ended(cases[static_cast<std::size_t>(i)], i % 2 ? 1.0 : 3.0);
  EXPECT_NEAR(estimate.remaining(), 12, 2);  // a common mean of both variants would give 8
}

class ManualClock : public Clock {
 public:
  double now() override { return time; }
  double time = 0;
};

struct Mock : CaseExecutor {
  explicit Mock(ManualClock& clock_) : clock(clock_) {}
  std::optional<Measurement> run(const Case& what) override {
    if (ran == stops_at) return {};
    ++ran;
    clock.time += 2;
    Measurement measurement;
    measurement.what = what;
    measurement.status = Status::ok;
    return measurement;
  }
  ManualClock& clock;
  int ran = 0, stops_at = -1;
};

TEST(RunAll, HandsOverMeasurementsInOrderAndTellsProgress) {
  ManualClock clock;
  Mock mock(clock);
  std::vector<std::int64_t> measured;
  std::vector<double> elapsed, remaining;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& m) { measured.push_back(m.what.problem.n); };
  callbacks.progress = [&](const Progress& progress) {
    elapsed.push_back(progress.elapsed);
    remaining.push_back(progress.remaining);
  };
  run_all({sized(30), sized(10), sized(20)}, mock, callbacks, clock);
  EXPECT_EQ(measured, (std::vector<std::int64_t>{30, 10, 20}));
  EXPECT_EQ(elapsed, (std::vector<double>{0, 2, 4, 6}));
  EXPECT_LT(remaining[0], 0);
  EXPECT_NEAR(remaining[2], 2, 0.1);
  EXPECT_NEAR(remaining[3], 0, 1e-9);
}

TEST(RunAll, StopsBetweenCases) {
  ManualClock clock;
  Mock mock(clock);
  Callbacks callbacks;
  callbacks.stop = [&] { return clock.time >= 4; };
  run_all({sized(1), sized(2), sized(3), sized(4)}, mock, callbacks, clock);
  EXPECT_EQ(mock.ran, 2);
}

TEST(RunAll, EndsWithTheExecutor) {
  ManualClock clock;
  Mock mock(clock);
  mock.stops_at = 1;
  std::size_t measured = 0;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement&) { ++measured; };
  run_all({sized(1), sized(2), sized(3)}, mock, callbacks, clock);
  EXPECT_EQ(measured, 1u);
}

// An executor that runs the given task during its next case, as the executor with worker processes does.
struct Busy : Mock {
  using Mock::Mock;
  void during_next(const std::function<void()>& task) override { task_ = task; }
  std::optional<Measurement> run(const Case& what) override {
    const std::optional<Measurement> measurement = Mock::run(what);
    task_();
    return measurement;
  }

 private:
  std::function<void()> task_;
};

TEST(RunAll, HandsOnWhatWasMeasuredWhileTheNextCaseRuns) {
  for (const int stops_at : {-1, 2}) {
    ManualClock clock;
    Busy busy(clock);
    busy.stops_at = stops_at;
    std::vector<std::pair<std::int64_t, double>> measured;
    Callbacks callbacks;
    callbacks.measured = [&](const Measurement& m) { measured.emplace_back(m.what.problem.n, clock.time); };
    run_all({sized(30), sized(10), sized(20)}, busy, callbacks, clock);
    std::vector<std::pair<std::int64_t, double>> expected = {{30, 4}, {10, 6}, {20, 6}};
    if (stops_at == 2) expected = {{30, 4}, {10, 4}};
    EXPECT_EQ(measured, expected);
  }
  ManualClock clock;
  Busy busy(clock);
  std::size_t measured = 0;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement&) { ++measured; };
  callbacks.stop = [&] { return clock.time >= 4; };
  run_all({sized(1), sized(2), sized(3)}, busy, callbacks, clock);
  EXPECT_EQ(measured, 2u) << "of those before a stop none is lost";
}

// An executor that appends its name to `order` in each run. Its measurements fail from run `bad_from` on.
struct Named : CaseExecutor {
  Named(char name_, std::string* order_, int bad_from_ = 1000)
      : name(name_), order(order_), bad_from(bad_from_) {}
  std::optional<Measurement> run(const Case& what) override {
    *order += name;
    Measurement m;
    m.what = what;
    m.status = ++count >= bad_from ? Status::failed : Status::ok;
    m.call_times = {double(count)};
    return m;
  }
  char name;
  std::string* order;
  int bad_from, count = 0;
};

TEST(TakeTurns, AreABBAUntilTheCaseIsSettled) {
  std::string order;
  Named a('A', &order), b('B', &order);
  std::vector<Turns> done;
  TurnCallbacks callbacks;
  callbacks.decided = [](const Turns& turns) { return turns.sides[0].size() >= 4; };
  callbacks.done = [&](const Turns& turns) { done.push_back(turns); };
  take_turns({full_case(), full_case()}, a, b, callbacks);
  EXPECT_EQ(order, "ABBAABBAABBAABBA");
  ASSERT_EQ(done.size(), 2u);
  EXPECT_EQ(joined(done[0].sides[1]).call_times, (std::vector<double>{1, 2, 3, 4}));
}

TEST(TakeTurns, TheSecondMayBegin) {
  std::string order;
  Named a('A', &order), b('B', &order);
  TurnCallbacks callbacks;
  callbacks.decided = [](const Turns& turns) { return turns.sides[0].size() >= 4; };
  callbacks.done = [&](const Turns&) {};
  take_turns({full_case()}, a, b, callbacks, true);
  EXPECT_EQ(order, "BAABBAAB");
}

TEST(TakeTurns, EndWithATurnThatWentBadly) {
  std::string order;
  Named a('A', &order), b('B', &order, 1);
  std::vector<Turns> done;
  TurnCallbacks callbacks;
  callbacks.decided = [](const Turns&) { return false; };
  callbacks.done = [&](const Turns& turns) { done.push_back(turns); };
  take_turns({full_case()}, a, b, callbacks);
  EXPECT_EQ(order, "AB");
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(joined(done[0].sides[0]).status, Status::ok);
  EXPECT_EQ(joined(done[0].sides[1]).status, Status::failed);
  EXPECT_TRUE(joined(done[0].sides[1]).call_times.empty());
}

TEST(RunAll, NoCasesAreNoError) {
  ManualClock clock;
  Mock mock(clock);
  run_all({}, mock, {}, clock);
  EXPECT_EQ(mock.ran, 0);
}

TEST(DevicePass, SplitsRecordsIntoLaunches) {
  using Kind = ActivityRecord::Kind;
  const auto record = [](Kind kind, const char* name) {
    ActivityRecord one{};
    one.kind = kind;
    one.name = name;
    return one;
  };
  const ActivityRecord fill = record(Kind::fill, ""), kernel = record(Kind::kernel, "k"),
                       other = record(Kind::kernel, "o");
  const auto launches = split_launches({fill, kernel, fill, kernel, fill, kernel}, 3);
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[2][1].name, "k");
  EXPECT_TRUE(split_launches({fill, kernel, fill, kernel, fill}, 3).empty());
  EXPECT_TRUE(split_launches({kernel, other, other, kernel}, 2).empty());
  EXPECT_TRUE(split_launches({}, 2).empty());
}

// Imitates a device that records activities. `counts` holds the number of records of each sample.
struct Recorder {
  std::vector<std::size_t> counts;
  std::size_t stopped = 0;
  int running = 0;
  SampleRecords records{[this] { ++running; },
                        [this] {
                          --running;
                          return std::vector<ActivityRecord>(counts.at(stopped++));
                        }};
};

TEST(DevicePass, TakesTheDevicesTimeFromSamples) {
  Recorder recorder{{2, 0, 2}};
  for (int sample = 0; sample < 3; ++sample) {
    recorder.records.end();  // called before each sample
    EXPECT_EQ(recorder.running, 0);
    recorder.records.begin();
    EXPECT_EQ(recorder.running, 1);
  }
  recorder.records.end();
  recorder.records.end();
  EXPECT_EQ(recorder.stopped, 3u);
  EXPECT_EQ(recorder.records.launches().size(), 2u);  // one of the three samples had no records
  EXPECT_FALSE(recorder.records.disturbed());
  EXPECT_EQ(pass_of(recorder.records.launches(), 0).times.size(), 2u);
}

TEST(DevicePass, LeavesSamplesOfManyKernelsAlone) {
  Recorder recorder{{SampleRecords::most_records + 1}};
  for (int sample = 0; sample < 3; ++sample) recorder.records.begin();
  recorder.records.end();
  EXPECT_EQ(recorder.stopped, 1u);
  EXPECT_TRUE(recorder.records.disturbed());
  EXPECT_TRUE(recorder.records.launches().empty());
}

// Samples during which recording disturbed the calls are dropped, and the stopping rule starts anew. Seven
// equal samples suffice before and after.
TEST(CallTimer, AppliesANewRuleAfterDroppingDisturbedSamples) {
  const Kernel kernel = costly_kernel();
  const std::vector<Variant> cheats = serial_cheats();
  Variant variant =
      *std::find_if(cheats.begin(), cheats.end(), [](const Variant& one) { return one.name == "baseline"; });
  static ManualClock clock;
  static const auto launch = variant.launch.float32;
  variant.launch.float32 = [](const Call& call) {
    launch(call);
    clock.time += 0.2;
  };
  const Problem problem = {1000, ElementType::float32, kernel.extents(1000), {}};
  std::string why_not;
  const std::unique_ptr<Device> device = open_device(MemorySpace::host, -1, &why_not);
  Workset workset(kernel, problem, 7);
  workset.compute_reference();
  DeviceCopies device_copies(*device, workset);
  device_copies.copy_in(DeviceCopies::Which::all, 0xFF);
  const Call call{problem, nullptr, device_copies.arrays(), device->stream(), nullptr};
  Settings settings;
  settings.min_samples = 6;
  settings.case_seconds = 10;
  const auto samples = [&](SampleRecords* records) {
    double expected = 0;
    Filling filling = 0;
    Measurement measurement;
    measurement.status = Status::ok;
    CallTimer timer({variant, call, *device, workset, device_copies}, settings, {clock, 0, 1e-9}, false,
                    [](Stage) {});
    timer.next_filling = [&](bool) { return AuditFilling{++filling, true}; };
    timer.expected = &expected;
    timer.recorded = records;
    EXPECT_TRUE(timer.time(0.2, &measurement)) << measurement.reason;
    return measurement.call_times.size();
  };
  EXPECT_EQ(samples(nullptr), 7u);
  Recorder recorder{{SampleRecords::most_records + 1}};
  EXPECT_EQ(samples(&recorder.records), 7u);
  EXPECT_TRUE(recorder.records.disturbed());
}

// A planted device that takes four times as long after 5 ms without work.
TEST(PausedCalls, TakeThatOfADeviceThatWakesUp) {
  ManualClock clock;
  double last = -1;
  int calls = 0;
  const auto execute = [&] {
    ++calls;
    clock.time += clock.time - last >= 0.005 ? 4e-5 : 1e-5;
    last = clock.time;
  };
  const auto times = [&](double gap) {
    return time_after_pauses(
        execute, [&] { clock.time += gap; }, 3, clock, 1e-6);
  };
  for (const double time : times(0.01)) EXPECT_NEAR(time, 3.9e-5, 1e-10);
  for (const double time : times(0.001)) EXPECT_NEAR(time, 0.9e-5, 1e-10);
  EXPECT_EQ(calls, 8) << "one call before the first pause";
}

TEST(PausedCalls, TakeAboutTwoSeconds) {
  EXPECT_EQ(paused_calls(0.01, 1e-5), 11);
  EXPECT_EQ(paused_calls(0.3, 0.1), 5);
  EXPECT_EQ(paused_calls(10, 1), 3);
}

TEST(DevicePass, AddsUpTheLaunchesOfAKernel) {
  double now = 0;
  const auto record = [&](const char* name, int grid, double seconds) {
    ActivityRecord one{};
    one.kind = ActivityRecord::Kind::kernel;
    one.name = name;
    one.grid = {grid, 1, 1};
    one.block = {32, 1, 1};
    one.start = now;
    one.end = now += seconds;
    return one;
  };
  std::vector<std::vector<ActivityRecord>> launches;
  for (const double seconds : {2.0, 1.0, 3.0})
    launches.push_back({record("step", 4, seconds), record("other", 4, 1), record("step", 4, seconds),
                        record("step", 8, 10 * seconds)});
  launches.push_back({record("step", 4, 50)});  // ignored: its number of kernels differs
  const std::vector<KernelLaunch> described = describe_launches(launches, 0);
  ASSERT_EQ(described.size(), 3u);
  EXPECT_EQ(described[0].name, "step");
  EXPECT_EQ(described[0].count, 2);
  EXPECT_DOUBLE_EQ(described[0].time, 4);
  EXPECT_EQ(described[1].name, "other");
  EXPECT_EQ(described[1].count, 1);
  EXPECT_EQ(described[2].grid[0], 8);
  EXPECT_DOUBLE_EQ(described[2].time, 20);
}

// A device whose time marks come from a counter, so that phase times are predictable.
class CountingDevice : public Device {
 public:
  MemorySpace memory_space() const override { return MemorySpace::host; }
  void* map(void* host, std::size_t) override { return host; }
  void unmap(void*, std::size_t) override {}
  void copy_in(void*, const void*, std::size_t) override {}
  void copy_out(void*, void*, std::size_t) override {}
  void fill(void*, unsigned char, std::size_t) override {}
  void flush_caches() override {}
  std::size_t free_memory() const override { return 0; }
  void mark() override { marks_.push_back(now_ += 1 << marks_.size()); }
  std::vector<double> take_marks() override { return std::exchange(marks_, {}); }

 private:
  double now_ = 0;
  std::vector<double> marks_;
};

TEST(Phases, AddUpByName) {
  Variant variant;
  variant.launch.float32 = [](const Call& call) {
    call.phase("setup");    // lasts 2 until the next mark
    call.phase("step");     // lasts 4
    call.phase("");         // lasts 8 and belongs to no phase
    call.phase("collide");  // lasts 16
    call.phase("step");     // lasts 32, until the end
  };
  Call call;
  call.problem.type = ElementType::float32;
  CountingDevice device;
  const std::vector<Phase> phases = measure_phases(variant, &call, device, 2);
  EXPECT_EQ(call.on_phase, nullptr) << "nobody listens any more";
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_EQ(phases[0].name, "setup");
  EXPECT_EQ(phases[0].times, (std::vector<double>{2, 2}));
  EXPECT_EQ(phases[1].name, "step");
  EXPECT_EQ(phases[1].times, (std::vector<double>{36, 36}));
  EXPECT_EQ(phases[2].name, "collide");
  EXPECT_EQ(phases[2].times, (std::vector<double>{16, 16}));
}

TEST(Phases, TheHostsClockNeverGoesBack) {
  std::string why_not;
  const auto device = open_device(MemorySpace::host, -1, &why_not);
  const double before = now();
  for (int i = 0; i < 3; ++i) device->mark();
  const std::vector<double> marks = device->take_marks();
  const double spent = now() - before;
  ASSERT_EQ(marks.size(), 3u);
  EXPECT_EQ(marks[0], 0);
  EXPECT_LE(marks[0], marks[1]);
  EXPECT_LE(marks[1], marks[2]);
  EXPECT_LE(marks[2], spent);
  EXPECT_TRUE(device->take_marks().empty());
}

// A device with separate memory. If an array is mapped again, its previous contents are still on the device.
class OtherMemory : public CountingDevice {
 public:
  explicit OtherMemory(bool copies_out = true) : copies_out_(copies_out) {}
  MemorySpace memory_space() const override { return MemorySpace::cuda; }
  void* map(void* host, std::size_t bytes) override {
    std::vector<char>& place = places_[host];
    place.resize(bytes);
    return place.data();
  }
  void copy_in(void* device_copy, const void* host, std::size_t bytes) override {
    std::memcpy(device_copy, host, bytes);
  }
  void copy_out(void* host, void* device_copy, std::size_t bytes) override {
    if (copies_out_) std::memcpy(host, device_copy, bytes);
  }
  void fill(void* device_copy, unsigned char byte, std::size_t bytes) override {
    std::memset(device_copy, byte, bytes);
  }

 private:
  bool copies_out_;
  std::map<void*, std::vector<char>> places_;
};

// Outputs are overwritten with poison on the device instead of being copied there. The device and the host
// use different poison values.
TEST(DeviceCopies, PoisonsOutputsWhereTheyLie) {
  class Counting : public OtherMemory {
   public:
    void copy_in(void* device_copy, const void* host, std::size_t bytes) override {
      copied += bytes;
      OtherMemory::copy_in(device_copy, host, bytes);
    }
    std::size_t copied = 0;
  } device;
  const Kernel& kernel = fault_kernel();
  Workset workset(kernel, {2000, ElementType::float32, kernel.extents(2000), {}}, 1, 256);
  DeviceCopies device_copies(device, workset);
  workset.reset(0x6F);
  device_copies.copy_in(DeviceCopies::Which::all, 0x7F);
  std::size_t outputs = 0;
  for (std::size_t i = 0; i < workset.arrays().size(); ++i) {
    const HostArray& array = workset.arrays()[i];
    const char *there = static_cast<const char*>(device_copies.arrays()[i].address()),
               *here = static_cast<char*>(array.data);
    const auto before = static_cast<std::ptrdiff_t>(here - array.base);
    const auto behind = static_cast<std::ptrdiff_t>(array.total) - before;
    EXPECT_TRUE(std::equal(array.base, array.base + before, there - before)) << "guard before " << i;
    EXPECT_TRUE(std::equal(here + array.bytes, here + behind, there + array.bytes)) << "guard behind " << i;
    if (kernel.arrays[i].role != Role::out) {
      EXPECT_TRUE(std::equal(here, here + array.bytes, there)) << i;
      continue;
    }
    outputs += array.bytes;
    const auto is = [&](char byte) { return [byte](char one) { return one == byte; }; };
    EXPECT_TRUE(std::all_of(there, there + array.bytes, is(0x7F)));
    EXPECT_TRUE(std::all_of(here, here + array.bytes, is(0x6F)));
  }
  EXPECT_GT(outputs, 0u);
  EXPECT_EQ(device.copied, workset.total_bytes() - outputs);
}

// A device with separate memory that can add up the bytes of an array, and that counts the copied bytes.
class AddingUp : public OtherMemory {
 public:
  std::optional<std::uint64_t> sum_of(const void* device_copy, std::size_t bytes) override {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes / 8; ++i) {
      std::uint64_t word;
      std::memcpy(&word, static_cast<const char*>(device_copy) + 8 * i, 8);
      sum += summand_of(word, i);
    }
    return sum;
  }
  void copy_in(void* device_copy, const void* host, std::size_t bytes) override {
    in += bytes;
    OtherMemory::copy_in(device_copy, host, bytes);
  }
  void copy_out(void* host, void* device_copy, std::size_t bytes) override {
    out += bytes;
    OtherMemory::copy_out(host, device_copy, bytes);
  }
  std::size_t in = 0, out = 0;
};

TEST(DeviceCopies, CopiesNoInputsThatTheDeviceFinds) {
  AddingUp device;
  const Kernel& kernel = fault_kernel();  // has one input and one output
  Workset workset(kernel, {2000, ElementType::float32, kernel.extents(2000), {}}, 1, 256);
  DeviceCopies device_copies(device, workset);
  const HostArray &input = workset.arrays()[0], &output = workset.arrays()[1];
  const std::size_t guards = output.total - output.bytes;
  const auto copied = [&] {
    device.in = 0;
    device_copies.copy_in(DeviceCopies::Which::all, 0xFF);
    return device.in;
  };
  EXPECT_FALSE(device_copies.finds_inputs());
  EXPECT_EQ(device_copies.bytes_checked(), input.bytes + output.bytes);
  EXPECT_EQ(copied(), input.total + guards);
  EXPECT_TRUE(device_copies.finds_inputs());
  EXPECT_EQ(device_copies.bytes_checked(), output.bytes);
  EXPECT_EQ(copied(), guards);

  char* there =
      static_cast<char*>(device_copies.arrays()[0].address()) - (static_cast<char*>(input.data) - input.base);
  for (const std::size_t at : {std::size_t{0}, std::size_t{256}, std::size_t{256} + input.bytes - 1,
                               std::size_t{256} + input.bytes, input.total - 1}) {
    there[at] ^= 1;
    EXPECT_FALSE(device_copies.finds_inputs()) << at;
    EXPECT_EQ(copied(), input.total + guards) << at;
    EXPECT_TRUE(device_copies.finds_inputs()) << at;
  }
  std::swap_ranges(there + 256, there + 264, there + 264);  // the same bytes at other positions
  EXPECT_FALSE(device_copies.finds_inputs());
  copied();

  workset.reset(0xFF, other_filling);
  EXPECT_FALSE(device_copies.finds_inputs());  // the host's inputs have changed
  EXPECT_EQ(copied(), input.total + guards);
  EXPECT_TRUE(device_copies.finds_inputs());
  workset.reset(0xFF);
  EXPECT_FALSE(device_copies.finds_inputs());
  EXPECT_EQ(copied(), input.total + guards);
  EXPECT_TRUE(device_copies.finds_inputs());
}

// A device that keeps copies of its memory, as a GPU does.
class Keeping : public AddingUp {
 public:
  std::size_t free_memory() const override { return std::size_t{1} << 30; }
  void* keep(const void* device_copy, std::size_t bytes) override {
    const char* from = static_cast<const char*>(device_copy);
    kept.push_back(std::make_unique<std::vector<char>>(from, from + bytes));
    return kept.back()->data();
  }
  void restore(void* device_copy, const void* from, std::size_t bytes) override {
    std::memcpy(device_copy, from, bytes);
  }
  void drop(void*) override { ++dropped; }
  std::vector<std::unique_ptr<std::vector<char>>> kept;
  std::size_t dropped = 0;
};

TEST(DeviceCopies, BringInputsFromCopiesOnTheDevice) {
  Keeping device;
  const Kernel& kernel = fault_kernel();  // has one input and one output
  Workset workset(kernel, {2000, ElementType::float32, kernel.extents(2000), {}}, 1, 256);
  std::map<Filling, std::vector<char>> inputs;
  std::map<Filling, std::vector<double>> references;
  const HostArray& input = workset.arrays()[0];
  const auto on_host = [&] {
    const char* data = static_cast<const char*>(input.data);
    return std::vector<char>(data, data + input.bytes);
  };
  {
    KeptOnDevice kept(device);
    {
      DeviceCopies first_case(device, workset, &kept);
      workset.refill(3);
      first_case.copy_inputs_in();
      first_case.keep_inputs();
    }
    DeviceCopies device_copies(device, workset, &kept);
    EXPECT_TRUE(device_copies.restore_inputs(3));
    const auto on_device = [&] {
      const char* data = static_cast<const char*>(device_copies.arrays()[0].address());
      return std::vector<char>(data, data + input.bytes);
    };
    EXPECT_FALSE(device_copies.restore_inputs(1));
    for (const Filling filling : {1u, 2u, 4u}) {
      workset.refill(filling);
      inputs[filling] = on_host();
      references[filling] = workset.reference(1);
      device_copies.copy_inputs_in();
      device_copies.keep_inputs();
    }
    ASSERT_NE(inputs[1], inputs[2]);
    EXPECT_EQ(device.kept.size(), 3u);  // filling 4 is for one variant
    EXPECT_FALSE(device_copies.restore_inputs(4));
    device.in = 0;
    ASSERT_TRUE(device_copies.restore_inputs(1));
    EXPECT_EQ(device.in, 0u);
    EXPECT_EQ(on_device(), inputs[1]);
    EXPECT_EQ(workset.filling(), 1u);
    EXPECT_EQ(workset.reference(1), references[1]);
    EXPECT_TRUE(device_copies.finds_inputs());
    EXPECT_EQ(on_host(), inputs[4]);  // not written
    workset.bring_inputs();
    EXPECT_EQ(on_host(), inputs[1]);

    (*device.kept[2])[300] ^= 1;  // a launch wrote beside its arrays
    EXPECT_FALSE(device_copies.restore_inputs(2));
    ASSERT_TRUE(device_copies.restore_inputs(1));
    workset.compute_reference_again();  // of the inputs on the host
    EXPECT_EQ(workset.reference(1), references[1]);
    workset.refill(2);
    EXPECT_EQ(on_host(), inputs[2]);
    ASSERT_TRUE(device_copies.restore_inputs(1));
  }
  EXPECT_EQ(on_host(), inputs[1]);  // later cases find them there
  EXPECT_EQ(device.dropped, 3u);
}

// A call on the same inputs again follows copies from the host if the first call did, because such copies
// delay it.
TEST(Audits, RepeatTheCopiesOfTheFirstCall) {
  Keeping device;
  const Kernel& kernel = fault_kernel();
  Workset workset(kernel, {2000, ElementType::float32, kernel.extents(2000), {}}, 1, 256);
  KeptOnDevice kept(device);
  DeviceCopies device_copies(device, workset, &kept);
  const Variant variant{"cuda.elementwise"};
  const Call call{workset.problem(), nullptr, device_copies.arrays(), nullptr, nullptr};
  SteadyClock clock;
  AuditedOnDevice audited({variant, call, device, workset, device_copies, true}, clock, [](bool) {
    return AuditFilling{1, true};
  });
  const auto copied = [&](bool again) {
    device.in = 0;
    audited.bring({.again = again});
    return device.in;
  };
  const std::size_t all = workset.arrays()[0].total;
  EXPECT_EQ(copied(false), all);
  EXPECT_EQ(copied(true), all);
  EXPECT_EQ(copied(false), 0u) << "the device has kept them";
  EXPECT_EQ(copied(true), 0u);
  EXPECT_FALSE(audited.learns());
}

TEST(DeviceCopies, CompareOutputsOnceThatAreTheSame) {
  AddingUp device;
  const Kernel& kernel = fault_kernel();
  const Problem problem{2000, ElementType::float32, kernel.extents(2000), {}};
  Workset workset(kernel, problem, 1, 256);
  DeviceCopies device_copies(device, workset);
  const Call call{problem, nullptr, device_copies.arrays(), nullptr, nullptr};
  const auto compared = [&](const char* name) {
    workset.reset(0x6F, workset.filling());
    device_copies.copy_in(DeviceCopies::Which::all, 0x7F);
    find_variant(*find_kernel("fault"), name)->launch.float32(call);
    device.out = 0;
    Deviation worst;
    return device_copies.compare(&worst);
  };
  EXPECT_EQ(compared("serial.right"), "");
  EXPECT_GT(device.out, 0u);
  EXPECT_EQ(compared("serial.right"), "");
  EXPECT_EQ(device.out, 0u);
  EXPECT_NE(compared("serial.nothing"), "");
  EXPECT_GT(device.out, 0u);
  workset.refill(1);  // the outputs of other inputs are not right for these
  char* output = static_cast<char*>(device_copies.arrays()[1].address());
  EXPECT_EQ(compared("serial.right"), "");
  EXPECT_GT(device.out, 0u);
  output[workset.arrays()[1].bytes] ^= 1;
  device.out = 0;
  Deviation worst;
  EXPECT_NE(device_copies.compare(&worst), "");
  EXPECT_GT(device.out, 0u);
}

TEST(DeviceCopies, IsCheckedWithoutCopiesOfInputsThatTheDeviceFinds) {
  const Kernel& kernel = fault_kernel();
  const Problem problem{2000, ElementType::float32, kernel.extents(2000), {}};
  Workset workset(kernel, problem, 1, 256);
  AddingUp device;
  DeviceCopies device_copies(device, workset);
  const auto checked = [&](const char* name) {
    device.out = 0;
    const Call call{problem, nullptr, device_copies.arrays(), nullptr, nullptr};
    return check(*find_variant(*find_kernel("fault"), name), call, device, workset, device_copies, 1);
  };
  EXPECT_EQ(checked("serial.right").reason, "");
  EXPECT_EQ(device.out, workset.arrays()[1].total);  // the second launch gave the same outputs
  const std::string wrong = checked("serial.changes_input").reason;
  test::expect_golden(wrong, "engine/parts:changed input");
  EXPECT_EQ(checked("serial.right").reason, "");
}

struct EndToEndPasses {
  const Kernel& kernel = fault_kernel();
  Problem problem{2000, ElementType::float32, kernel.extents(2000), {}};
  Workset workset{kernel, problem, 1};
  SteadyClock clock;

  EndToEnd of(const Variant& variant, Device& device) {
    return measure_end_to_end(variant, Call{problem, nullptr, nullptr, nullptr, nullptr}, device, workset,
                              clock);
  }
  EndToEnd of(const char* variant, Device& device) {
    return of(*find_variant(*find_kernel("fault"), variant), device);
  }
};

TEST(EndToEnd, IsTheTimeOfARightResult) {
  EndToEndPasses passes;
  OtherMemory device;
  const EndToEnd right = passes.of("serial.right", device);
  EXPECT_EQ(right.wrong, "");
  EXPECT_GE(right.times.size(), 2u);
  EXPECT_TRUE(right.prepare_times.empty());
  const EndToEnd prepared = passes.of("serial.prepares", device);
  EXPECT_EQ(prepared.prepare_times.size(), prepared.times.size());
}

TEST(EndToEnd, IncludesAPreparationForTheInputs) {
  EndToEndPasses passes;
  OtherMemory device;
  const auto shortest = [&](const char* variant) {
    const EndToEnd pass = passes.of(variant, device);
    return *std::min_element(pass.times.begin(), pass.times.end());
  };
  EXPECT_LT(shortest("serial.prepares"), 0.005);  // both sleep for 5 ms
  EXPECT_GE(shortest("serial.prepares_for_inputs"), 0.005);
}

// Preparations that are repeated for each end-to-end pass count towards the time limit of the passes.
TEST(EndToEnd, IsMeasuredTwiceWherePreparingTakesLong) {
  EndToEndPasses passes;
  OtherMemory device;
  Variant slow = *find_variant(*find_kernel("fault"), "serial.right");
  slow.prepare = [](const Call&, void**) -> const char* {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return nullptr;
  };
  const EndToEnd prepared = passes.of(slow, device);
  EXPECT_EQ(prepared.wrong, "");
  EXPECT_LE(prepared.times.size(), 2u);
}

TEST(EndToEnd, ReleasesTheStateOfAFailedPreparation) {
  static int held = 0;
  EndToEndPasses passes;
  OtherMemory device;
  Variant failing = *find_variant(*find_kernel("fault"), "serial.right");
  failing.prepare = [](const Call&, void** state) -> const char* {
    *state = &++held;
    return "no memory for the rest";
  };
  failing.release = [](void*) { --held; };
  EXPECT_THROW(passes.of(failing, device), DeviceError);
  EXPECT_EQ(held, 0);
}

// A wrong result gives no time, even if an earlier pass or the device still holds the right one.
TEST(EndToEnd, OfAWrongResultIsNone) {
  EndToEndPasses passes;
  OtherMemory device;
  ASSERT_EQ(passes.of("serial.right", device).wrong, "");
  EXPECT_NE(passes.of("serial.nothing", device).wrong.find("c[0] is "), std::string::npos);
  EXPECT_NE(passes.of("serial.misses_last", device).wrong.find("c[999] is "), std::string::npos);
  OtherMemory keeps(false);
  EXPECT_NE(passes.of("serial.right", keeps).wrong.find("c[0] is "), std::string::npos);
}

struct Buffers {
  int megabytes = 1;
};

std::int64_t workspace(const Problem&, const Buffers& buffers) {
  return std::int64_t{buffers.megabytes} * 1000000;
}

TEST(MemoryNeed, CountsTheVariantsWorkspace) {
  const Problem problem{1000, ElementType::float32, {500, 1, 1}};
  const Buffers buffers{3};
  const VariantNeed variant{MemorySpace::cuda, by_name<workspace>, &buffers.megabytes};
  const double without = memory_need(fault_kernel(), problem, {MemorySpace::cuda}, 0).device;
  EXPECT_EQ(memory_need(fault_kernel(), problem, variant, 0).device, without + 3e6);
  EXPECT_EQ(why_too_large(fault_kernel(), problem, variant, 0, 1e9, 4e6), "");
  test::expect_golden(why_too_large(fault_kernel(), problem, variant, 0, 1e9, 2e6), "engine/parts:workspace");
}

TEST(Warnings, NameARemedy) {
  std::string all;
  for (const Warning warning :
       {Warning::throttled, Warning::slow_clock, Warning::no_records, Warning::no_device_time,
        Warning::no_counters, Warning::no_energy, Warning::not_steady, Warning::cut_short,
        Warning::not_checked, Warning::not_repeated, Warning::beside_others, Warning::shared_cores,
        Warning::arithmetic})
    all += text_of(warning, "DETAIL") + "\n";
  test::expect_golden(all, "engine/parts:warnings");
}

}  // namespace
}  // namespace sextant
