// Tests of the sentinels of a run on several GPUs. Sentinels are kernels that are measured alone and
// concurrently, to find out whether GPUs disturb each other.
#include "run/sentinels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "base/error.hpp"
#include "registry/registry.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

SentinelRatio ratio(const char* gpu, const char* sentinel, double call, double device) {
  return {gpu, sentinel, {call, call, call}, {device, device, device}, 5e-6};
}

const std::vector<SentinelRatio> quiet = {ratio("gpu0", "launch", 1.004, 1.001),
                                          ratio("gpu1", "memory", 0.997, 0.999)};

TEST(Sentinels, DecideWhatMayOverlap) {
  const auto overlap_for = [](const std::vector<SentinelRatio>& ratios, double max_noise) {
    return concurrency_by(ratios, max_noise).overlap;
  };
  EXPECT_EQ(overlap_for(quiet, 0.01), Overlap::all);
  EXPECT_EQ(overlap_for(quiet, 0.002), Overlap::long_calls);
  EXPECT_EQ(overlap_for(quiet, 0.0005), Overlap::nothing);
  EXPECT_EQ(overlap_for({ratio("gpu0", "launch", 1.05, 1)}, 0.01), Overlap::long_calls);
  EXPECT_EQ(overlap_for({ratio("gpu0", "launch", 0.95, 1)}, 0.01), Overlap::long_calls);
  EXPECT_EQ(overlap_for({ratio("gpu0", "power", 1, 1.05)}, 0.01), Overlap::nothing);
  EXPECT_EQ(overlap_for({ratio("gpu0", "power", 1, 0)}, 0.01), Overlap::all);  // no device time was measured
  EXPECT_EQ(overlap_for({}, 0.01), Overlap::all);
  EXPECT_TRUE(concurrency_by(quiet, 0.01).tried);
  EXPECT_FALSE(concurrency_by({}, 0.01).tried);
  // Without sentinels that measure launches, nothing is known about short calls.
  EXPECT_FALSE(concurrency_by({ratio("gpu0", "memory", 1, 1), ratio("gpu0", "power", 1, 1)}, 0.01).tried);
}

// Other GPUs add the same time to every call. 0.15 us are one percent of 15 us.
TEST(Sentinels, CallsOverlapOfWhichWhatTheyMovedByIsLittle) {
  EXPECT_NEAR(concurrency_by({ratio("gpu0", "launch", 1.03, 1)}, 0.01).short_call, 15e-6, 1e-12);
  EXPECT_NEAR(
      concurrency_by({ratio("gpu0", "launch", 0.94, 1), ratio("gpu1", "launch", 1.03, 1)}, 0.01).short_call,
      30e-6, 1e-12);
  SentinelRatio memory = ratio("gpu0", "memory", 1.05, 1);  // affects device times
  memory.seconds = 1e-3;
  EXPECT_EQ(concurrency_by({memory}, 0.01).overlap, Overlap::all);
  EXPECT_NEAR(concurrency_by({memory, ratio("gpu0", "launch", 1.03, 1)}, 0.01).short_call, 15e-6, 1e-12);
}

// A deviation below the scatter is no disturbance. Launch times can change by 7 % within a second.
TEST(Sentinels, RoundsThatDifferMoreThanTheyMovedShowNoDisturbance) {
  const auto launch = [](const Interval& call) {
    return concurrency_by({{"gpu0", "launch", call, {1, 1, 1}, 5e-6}}, 0.01).overlap;
  };
  EXPECT_EQ(launch({0.95, 1.015, 1.07}), Overlap::all);
  EXPECT_EQ(launch({1.012, 1.015, 1.02}), Overlap::long_calls);
  EXPECT_EQ(launch({0.98, 0.985, 0.988}), Overlap::long_calls);
  EXPECT_EQ(launch({0.95, 1.03, 1.07}), Overlap::long_calls);
}

// A deviation in one of three trials is chance. In two of three, it is a disturbance.
TEST(Sentinels, CallsThatMovedOnceOfThreeTimesDidNotMove) {
  const auto launches = [](double gpu0, double gpu1) {
    return std::vector<SentinelRatio>{ratio("gpu0", "launch", gpu0, 1), ratio("gpu1", "launch", gpu1, 1)};
  };
  std::vector<SentinelRatio> first = launches(1, 1.046);
  first.push_back(ratio("gpu1", "memory", 1.002, 0.998));
  const auto overlap = [&](double second, double third) {
    const std::vector<SentinelRatio> middle = middle_of({first, launches(1.05, second), launches(1, third)});
    EXPECT_EQ(middle.size(), 3u);
    EXPECT_EQ(middle[0].call.median, 1);
    EXPECT_EQ(middle[2].call.median, 1.002);  // measured in one of the trials only
    EXPECT_EQ(middle[2].on_device.median, 0.998);
    return concurrency_by(middle, 0.01).overlap;
  };
  EXPECT_EQ(overlap(1.001, 0.999), Overlap::all);
  EXPECT_EQ(overlap(1.001, 1.05), Overlap::long_calls);
  EXPECT_EQ(overlap(1.03, 0.97), Overlap::long_calls);
  EXPECT_EQ(overlap(0.95, 1), Overlap::all);
}

TEST(Sentinels, SayWhatMovedAndWhatIsDone) {
  EXPECT_EQ(reason_of({}, quiet, 0.01), "");
  const std::vector<SentinelRatio> slow = {ratio("gpu0", "launch", 1.02, 1),
                                           ratio("gpu1", "launch", 1.2, 1.3)};
  const std::string calls = reason_of({Overlap::long_calls, 1e-4, true}, slow, 0.01);
  EXPECT_TRUE(contains(calls, "`launch` takes 1.200 times as long (call time) on gpu1")) << calls;
  EXPECT_TRUE(contains(calls, "more than ± 1 %")) << calls;
  EXPECT_TRUE(contains(calls, "Calls of up to 100 µs are therefore timed while no other GPU is busy"))
      << calls;
  const std::string all = reason_of({Overlap::nothing, 0, true}, slow, 0.01);
  EXPECT_TRUE(contains(all, "takes 1.300 times as long (device time) on gpu1")) << all;
  EXPECT_TRUE(contains(all, "one device at a time")) << all;
}

TEST(Sentinels, AreKeptAndShown) {
  Environment environment;
  record_ratios(quiet, "start", &environment);
  record_ratios({ratio("gpu0", "launch", 1.5, 0)}, "end", &environment);
  EXPECT_EQ(environment, (Environment{{"sentinel.start.gpu0.launch.call", "1.004"},
                                      {"sentinel.start.gpu0.launch.device", "1.001"},
                                      {"sentinel.start.gpu1.memory.call", "0.997"},
                                      {"sentinel.start.gpu1.memory.device", "0.999"},
                                      {"sentinel.end.gpu0.launch.call", "1.5"}}));
  EXPECT_EQ(
      text_of(
          {ratio("gpu0", "launch", 1.5, 0), ratio("gpu0", "memory", 1, 1.25), ratio("gpu1", "launch", 1, 1)}),
      "gpu0: launch 1.500x call; memory 1.000x call, 1.250x device\ngpu1: launch 1.000x call, 1.000x device");
}

TEST(Sentinels, SayHowMuchTheGpusDiffer) {
  const auto measured = [](const char* gpu, const char* sentinel, double time) {
    SentinelRatio one = ratio(gpu, sentinel, 1, 1);
    one.isolated = {0.99 * time, time, 1.01 * time, time, 20};
    return one;
  };
  EXPECT_EQ(differences_of({measured("gpu0", "memory", 1e-3), measured("gpu0", "power", 1e-3),
                            measured("gpu1", "memory", 1.001e-3), measured("gpu1", "power", 1.08e-3),
                            measured("gpu2", "power", 0.9e-3)}),
            "gpu1 over gpu0: memory (triad) 1.001x (0.987 to 1.015); power (matmul) 1.080x (1.065 to 1.095)\n"
            "gpu2 over gpu0: power (matmul) 0.900x (0.887 to 0.913)");
  EXPECT_EQ(differences_of({measured("gpu0", "memory", 1e-3)}), "");
  EXPECT_EQ(differences_of({}), "");
  EXPECT_EQ(differences_of({measured("gpu0", "memory", 1e-3), ratio("gpu1", "memory", 1, 1)}), "")
      << "gpu1 has no times";
  Environment environment;
  record_ratios({measured("gpu1", "power", 1.08e-3)}, "start", &environment);
  EXPECT_EQ(environment.at("sentinel.start.gpu1.power.isolated"), "0.00108");
}

TEST(Sentinels, AreInEveryBuildThatCanMeasureThem) {
  const auto names_of = [] {
    std::vector<std::string> names;
    const std::vector<Tried> cases = sentinel_cases({}, &names);
    EXPECT_EQ(cases.size(), names.size());
    return names;
  };
  const auto built = [](Model model) {
    const auto& builds = model_builds();
    return std::any_of(builds.begin(), builds.end(),
                       [&](const ModelBuild& one) { return one.model == model && one.built; });
  };
  const std::vector<std::string> all = {"launch", "memory", "power"};
  unsetenv("SEXTANT_STAND_IN_GPUS");
  EXPECT_EQ(names_of(), built(Model::cuda) ? all : std::vector<std::string>());
  setenv("SEXTANT_STAND_IN_GPUS", "alpha", 1);
  EXPECT_EQ(names_of(), built(Model::openacc) ? all : std::vector<std::string>());
  unsetenv("SEXTANT_STAND_IN_GPUS");
}

Case sentinel(const std::string& kernel) { return test::make_case(kernel, "cuda.vector", 1000); }

TEST(Sentinels, RatiosAreOfWhatCameOutRightBothWays) {
  BothWays both;
  both.isolated = {test::make_measurement(sentinel("triad"), 1e-6)};
  both.concurrent = {test::make_measurement(sentinel("triad"), 3e-6)};
  both.isolated[0].device_times = test::samples_around(1e-6);
  both.concurrent[0].device_times = test::samples_around(2e-6);
  BothWays wrong = both, missing = both;
  wrong.concurrent[0].status = Status::wrong;
  missing.isolated.clear();
  const std::vector<SentinelRatio> ratios = ratios_of({{both, wrong, missing}}, {"a", "b", "c"});
  ASSERT_EQ(ratios.size(), 1u);
  EXPECT_EQ(ratios[0].device, "gpu0");
  EXPECT_EQ(ratios[0].sentinel, "a");
  EXPECT_NEAR(ratios[0].call.median, 3, 1e-9);
  EXPECT_NEAR(ratios[0].on_device.median, 2, 1e-9);
  EXPECT_NEAR(ratios[0].seconds, 1e-6, 1e-15);
}

// For a launch of 2 us, the device clock has a resolution of 32 ns.
TEST(Sentinels, AStepOfTheDevicesClockIsNoDisturbance) {
  BothWays both;
  both.isolated = both.concurrent = {test::make_measurement(sentinel("triad"), 1e-6)};
  const auto ticks = [](std::initializer_list<int> counts) {
    std::vector<double> times;
    for (const int count : counts) times.push_back(32e-9 * count);
    return times;
  };
  both.isolated[0].device_times = ticks({62, 62, 63, 62, 61, 62, 62});
  both.concurrent[0].device_times = ticks({61, 61, 62, 61, 61, 61, 60});
  EXPECT_EQ(ratios_of({{both}}, {"launch"}).at(0).on_device.median, 1);
  both.concurrent[0].device_times = ticks({64, 64, 63, 64, 64, 65, 64});
  EXPECT_NEAR(ratios_of({{both}}, {"launch"}).at(0).on_device.median, 64.0 / 62, 1e-9);
}

// Records how many executors run at once, both when each should be isolated and when all run together.
class Watched : public CaseExecutor {
 public:
  struct Log {
    std::mutex mutex;
    std::vector<std::string> runs;  // entries such as "gpu0 triad"
    std::atomic<int> running = 0;
    int most_isolated = 0, most_concurrent = 0;
  };
  Watched(Log& log, Participant participant, int devices)
      : log_(log), participant_(participant), devices_(devices) {}
  std::optional<Measurement> run(const Case& what) override {
    const bool alone = ++turns_ % 3 == 2;  // the first call for each case only prepares
    participant_.scheduler->ask(participant_.worker, Stage::sampling, StageClass::device);
    while (!participant_.scheduler->wait(participant_.worker, 1)) {
    }
    const int now = ++log_.running;
    {
      const std::lock_guard lock(log_.mutex);
      log_.runs.push_back(what.device + " " + what.kernel);
      int& most = alone ? log_.most_isolated : log_.most_concurrent;
      most = std::max(most, now);
    }
    for (int i = 0; i < (alone ? 20 : 10000) && log_.running < devices_ && !met_; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    met_ = met_ || log_.running == devices_;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // gives the other executors time to see it
    --log_.running;
    met_ = false;
    participant_.scheduler->leave(participant_.worker);
    return test::make_measurement(what, 1e-6);
  }

 private:
  Log& log_;
  Participant participant_;
  int devices_, turns_ = 0;
  bool met_ = false;
};

TEST(SideBySide, OneAfterTheOtherThenAllAtOnce) {
  Watched::Log log;
  const auto results = run_side_by_side({{sentinel("triad")}, {sentinel("matmul")}}, {"gpu0", "gpu1", "gpu2"},
                                        [&](std::size_t, const Callbacks&, Participant participant) {
                                          return std::make_unique<Watched>(log, participant, 3);
                                        },
                                        {});
  EXPECT_EQ(log.most_isolated, 1);
  EXPECT_EQ(log.most_concurrent, 3);
  EXPECT_EQ(log.runs.size(), 18u);
  ASSERT_EQ(results.size(), 3u);
  for (std::size_t slot = 0; slot < 3; ++slot) {
    ASSERT_EQ(results[slot].size(), 2u);
    for (std::size_t i = 0; i < 2; ++i)
      for (const auto& rounds : {results[slot][i].isolated, results[slot][i].concurrent}) {
        ASSERT_EQ(rounds.size(), 1u);
        EXPECT_EQ(rounds[0].what.device, "gpu" + std::to_string(slot));
        EXPECT_EQ(rounds[0].what.kernel, i == 0 ? "triad" : "matmul");
      }
  }
}

// An executor that records the order of the calls and their devices.
class Listed : public CaseExecutor {
 public:
  Listed(std::string& order, std::mutex& mutex) : order_(order), mutex_(mutex) {}
  void use(const Settings& settings) override { seconds_ = settings.case_seconds; }
  std::optional<Measurement> run(const Case& what) override {
    const std::lock_guard lock(mutex_);
    order_ += what.device + " ";
    return test::make_measurement(what, seconds_);
  }

 private:
  std::string& order_;
  std::mutex& mutex_;
  double seconds_ = 0;
};

TEST(SideBySide, TurnsOfRoundsMirrorEachOther) {
  std::string order;
  std::mutex mutex;
  Tried tried = {sentinel("triad"), 2, {}};
  tried.settings.case_seconds = 0.5;
  const auto results = run_side_by_side(
      {tried}, {"gpu0", "gpu1"},
      [&](std::size_t, const Callbacks&, Participant) { return std::make_unique<Listed>(order, mutex); }, {});
  EXPECT_EQ(order.substr(10, 10),
            "gpu0 gpu1 ");  // after the preparation: isolated, twice concurrent, isolated
  EXPECT_EQ(order.substr(40), "gpu0 gpu1 ") << order;  // isolated again
  for (const auto& device : results) {
    EXPECT_EQ(device[0].isolated.size(), 2u);
    EXPECT_EQ(device[0].concurrent.size(), 2u);
    EXPECT_NEAR(median_interval(device[0].isolated[0].call_times).median, 0.5, 0.05) << "not its settings";
  }
}

TEST(SideBySide, AnErrorEndsItAndIsTold) {
  const auto make = [&](std::size_t slot, const Callbacks&,
                        Participant participant) -> std::unique_ptr<CaseExecutor> {
    if (slot == 1) throw UserError("no worker here");
    static Watched::Log log;
    return std::make_unique<Watched>(log, participant, 1);
  };
  EXPECT_THROW(run_side_by_side({{sentinel("triad")}}, {"gpu0", "gpu1"}, make, {}), UserError);
}

TEST(SideBySide, EndsWhenItIsToStop) {
  Callbacks callbacks;
  callbacks.stop = [] { return true; };
  Watched::Log log;
  const auto results = run_side_by_side(
      {{sentinel("triad")}}, {"gpu0", "gpu1"},
      [&](std::size_t, const Callbacks&, Participant participant) {
        return std::make_unique<Watched>(log, participant, 1);
      },
      callbacks);
  EXPECT_TRUE(results[0][0].isolated.empty() && results[1][0].concurrent.empty());
  EXPECT_TRUE(log.runs.empty());
}

}  // namespace
}  // namespace sextant
