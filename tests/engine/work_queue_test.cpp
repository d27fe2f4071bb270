// Tests of runs on several devices: each case runs once, stages overlap only if they may, and a fault costs
// only its own case.
#include "engine/concurrent/work_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <thread>

#include "base/error.hpp"
#include "engine/concurrent/exclusive_section.hpp"
#include "engine/concurrent/result_forwarder.hpp"
#include "engine/executor.hpp"
#include "engine/form/stage.hpp"
#include "engine/form/stage_scheduler.hpp"
#include "engine/process/worker_executor.hpp"
#include "faults/faults.hpp"
#include "record/json_text.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

Case fault(const std::string& variant, std::int64_t n, const std::string& device = "gpu0") {
  static const bool added = [] {
    add_fault_kernels();
    return true;
  }();
  (void)added;
  Case what;
  what.kernel = "fault";
  what.variant = variant;
  what.problem = {n, ElementType::float32, find_kernel("fault")->kernel.extents(n), {}};
  what.device = device;
  return what;
}

// Returns three cases for each problem.
std::vector<Case> cases_of(int problems) {
  std::vector<Case> cases;
  for (int i = 0; i < problems; ++i)
    for (const char* variant : {"serial.right", "serial.works_once", "serial.nothing"})
      cases.push_back(fault(variant, 1000 + i));
  return cases;
}

std::string key_of_any(Case what) {
  what.device = what.device == "cpu" ? "cpu" : "gpu";
  return key_of(what);
}

std::multiset<std::string> keys(const std::vector<Case>& cases) {
  std::multiset<std::string> all;
  for (const Case& what : cases) all.insert(key_of_any(what));
  return all;
}

std::multiset<std::string> keys(const std::vector<Measurement>& measurements) {
  std::multiset<std::string> all;
  for (const Measurement& one : measurements) all.insert(key_of_any(one.what));
  return all;
}

TEST(WorkQueue, GivesWholeProblemsEachOnceAndWhatRunsOnTheHostToItsSlot) {
  std::vector<Case> cases = cases_of(5);
  cases.push_back(fault("serial.right", 1000, "cpu"));
  WorkQueue queue(cases, {"cpu", "gpu1", "gpu3"});
  std::vector<Case> distributed;
  for (const std::size_t slot : {1u, 2u, 2u, 1u, 2u, 1u, 0u, 0u, 2u}) {
    const std::vector<Case> group = queue.next(slot);
    for (const Case& what : group) {
      EXPECT_EQ(what.device, (std::vector<std::string>{"cpu", "gpu1", "gpu3"}[slot]));
      EXPECT_EQ(what.problem.n, group.front().problem.n);
      distributed.push_back(what);
    }
    EXPECT_TRUE(group.empty() || group.size() == (slot == 0 ? 1u : 3u));
  }
  EXPECT_EQ(keys(distributed), keys(cases));
}

// Long host cases of one problem are distributed one by one, so that every worker has work.
TEST(WorkQueue, GivesWhatTakesSecondsOnTheHostByItself) {
  std::vector<Case> cases;
  for (const std::int64_t n : {std::int64_t{1} << 34, std::int64_t{1000}})
    for (const char* variant : {"serial.right", "serial.works_once", "serial.nothing"})
      cases.push_back(fault(variant, n, "cpu"));
  WorkQueue queue(cases, {"cpu", "cpu"});
  std::vector<Case> distributed;
  for (const std::size_t expected : {1u, 1u, 1u, 3u, 0u}) {
    const std::vector<Case> group = queue.next(distributed.size() % 2);
    EXPECT_EQ(group.size(), expected);
    distributed.insert(distributed.end(), group.begin(), group.end());
  }
  EXPECT_EQ(keys(distributed), keys(cases));
}

TEST(WorkQueue, BeginsOnSeveralGpusWithTheLongestProblemAndOnOneWithTheShortest) {
  const std::vector<Case> cases = {fault("serial.right", 2000), fault("serial.right", 1000),
                                   fault("serial.right", 3000), fault("serial.works_once", 3000)};
  const auto given = [&](const std::vector<std::string>& devices, const std::vector<std::size_t>& slots) {
    WorkQueue queue(cases, devices);
    std::vector<std::int64_t> sizes;
    for (const std::size_t slot : slots) sizes.push_back(queue.next(slot).front().problem.n);
    return sizes;
  };
  EXPECT_EQ(given({"gpu0", "gpu1"}, {0, 1, 0}), (std::vector<std::int64_t>{3000, 2000, 1000}));
  EXPECT_EQ(given({"cpu", "gpu0"}, {1, 1, 1}), (std::vector<std::int64_t>{1000, 2000, 3000}));
}

// An executor that calls `act` in one stage of each case.
class Acting : public CaseExecutor {
 public:
  using Act = std::function<void(const Case&)>;
  Acting(Participant participant, StageClass one, Act act)
      : participant_(participant), class_(one), act_(std::move(act)) {}
  std::optional<Measurement> run(const Case& what) override {
    if (!participant_.scheduler->ask(participant_.worker, Stage::sampling, class_))
      while (!participant_.scheduler->wait(participant_.worker, 1)) {
      }
    act_(what);
    participant_.scheduler->leave(participant_.worker);
    Measurement measurement;
    measurement.what = what;
    measurement.status = Status::ok;
    return measurement;
  }

 private:
  Participant participant_;
  StageClass class_;
  Act act_;
};

struct Seen {
  std::vector<Measurement> measurements;
  Callbacks callbacks;
  Seen() {
    callbacks.measured = [this](const Measurement& one) { measurements.push_back(one); };
  }
};

// Returns the largest number of workers that were in the stage at once. With `together`, a worker waits for a
// second one.
int most_at_once(StageClass one, const Concurrency& concurrency, bool together) {
  std::atomic<int> inside = 0, most = 0;
  const auto act = [&](const Case&) {
    const int now = ++inside;
    for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    for (int i = 0; i < (together ? 10000 : 20) && most < 2; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
  };
  Seen seen;
  const std::vector<Case> cases = cases_of(4);
  run_distributed(
      cases, {"gpu0", "gpu1"},
      [&](std::size_t, const Callbacks&, Participant participant) {
        return std::make_unique<Acting>(participant, one, act);
      },
      seen.callbacks, concurrency);
  EXPECT_EQ(keys(seen.measurements), keys(cases));
  return most;
}

TEST(Distribution, StagesOnDevicesOverlapAndWhatIsAloneDoesNot) {
  EXPECT_EQ(most_at_once(StageClass::device, {Overlap::all}, true), 2);
  EXPECT_EQ(most_at_once(StageClass::loose, {Overlap::nothing}, true), 2);
  EXPECT_EQ(most_at_once(StageClass::alone, {Overlap::all}, false), 1);
  EXPECT_EQ(most_at_once(StageClass::device, {Overlap::nothing}, false), 1);
  EXPECT_EQ(most_at_once(StageClass::device, {Overlap::long_calls}, false), 1);
}

TEST(Distribution, WhatMayOverlapIsWhatWasFoundNotToDisturb) {
  using enum StageClass;
  const Concurrency all, nothing{Overlap::nothing}, long_calls{Overlap::long_calls, 1e-5, true};
  EXPECT_EQ(with_overlap(device, Stage::sampling, 1e-6, all), device);
  EXPECT_EQ(with_overlap(device, Stage::sampling, 1e-5, long_calls), alone);
  EXPECT_EQ(with_overlap(device, Stage::sampling, 1.1e-5, long_calls), device);
  EXPECT_EQ(with_overlap(device, Stage::sampling, 0, long_calls), alone);  // the call time is unknown
  EXPECT_EQ(with_overlap(device, Stage::timing_on_device, 1e-6, long_calls), device);
  EXPECT_EQ(with_overlap(device, Stage::timing_on_device, 1, nothing), alone);
  EXPECT_EQ(with_overlap(loose, Stage::checking, 0, nothing), loose);
  EXPECT_EQ(with_overlap(alone, Stage::copying, 0, all), alone);
  for (const Concurrency& concurrency : {all, long_calls})
    EXPECT_EQ(with_overlap(light, Stage::checking, 0, concurrency), device);
  EXPECT_EQ(with_overlap(light, Stage::checking, 0, nothing), loose);
}

// An executor whose call and device times the test sets.
class Tuned : public CaseExecutor {
 public:
  using Times = std::function<std::pair<double, double>(const Case&)>;  // call time, device time (0: unknown;
                                                                        // -1: wrong), in seconds
  // If `pass` is set, copies are timed, and a separate end-to-end pass returns this status.
  Tuned(Participant participant, Times times, std::vector<std::string>* runs, std::optional<Status> pass = {})
      : pass_(pass), participant_(participant), times_(std::move(times)), runs_(runs) {}
  void time(Timed timed) override { timed_ = timed; }
  std::optional<Measurement> run(const Case& what) override {
    const auto [call, device] = times_(what);
    if (call < 0) return {};
    if (timed_ == Timed::pass) return pass_of(what);
    runs_->push_back(tuning_text(what.tuning));
    if (participant_.scheduler) {
      EXPECT_TRUE(participant_.scheduler->ask(participant_.worker, Stage::sampling, StageClass::device,
                                              call));  // no other worker competes
      participant_.scheduler->leave(participant_.worker);
    }
    Measurement measurement;
    measurement.what = what;
    measurement.status = device < 0 ? Status::wrong : Status::ok;
    measurement.call_times.assign(9, call);
    if (device > 0) measurement.device_times.assign(9, device);
    if (pass_) measurement.alloc_times = {1e-5};
    if (pass_ && timed_ == Timed::all) measurement.end_to_end_times = {1e-4};
    return measurement;
  }

 private:
  Measurement pass_of(const Case& what) {
    runs_->push_back(tuning_text(what.tuning) + " pass");
    Measurement measurement;
    measurement.what = what;
    measurement.status = *pass_;
    if (pass_ == Status::ok) measurement.prepare_times = {1e-3}, measurement.end_to_end_times = {2e-4};
    return measurement;
  }

  Timed timed_ = Timed::all;
  std::optional<Status> pass_;
  Participant participant_;
  Times times_;
  std::vector<std::string>* runs_;
};

// A search over the tunings of one variant. The first tuning is the default. `microseconds` holds the device
// times.
struct Search {
  std::vector<double> microseconds;
  double call = 5e-6;
  bool known = true;                                                       // the device time is known
  std::size_t stops_after = 1000, wrong_after = 1000, fails_after = 1000;  // counted in runs
  std::optional<Status> pass = {};  // if set, copies are timed and the call time equals the device time
  bool distributed = true;

  std::vector<std::string> runs = {};  // tunings such as "block=1"
  std::vector<Measurement> measured = {};

  void go(const Concurrency& concurrency) {
    std::vector<Case> cases;
    for (std::size_t i = 0; i < microseconds.size(); ++i) {
      cases.push_back(fault("serial.right", 1000));
      if (i > 0) cases.back().tuning.emplace_back("block", static_cast<int>(i));
    }
    const auto times = [&](const Case& what) {
      if (runs.size() >= fails_after) throw UserError("no worker any more");
      const std::size_t i = what.tuning.empty() ? 0 : static_cast<std::size_t>(what.tuning[0].second.number);
      const double device = runs.size() < wrong_after ? 1e-6 * microseconds[i] : -1;
      return std::pair(runs.size() >= stops_after ? -1 : pass ? device : call, known ? device : 0);
    };
    Callbacks callbacks;
    callbacks.measured = [&](const Measurement& one) { measured.push_back(one); };
    const auto make = [&](std::size_t, const Callbacks&, Participant participant) {
      return std::make_unique<Tuned>(participant, times, &runs, pass);
    };
    SteadyClock clock;
    if (distributed)
      run_distributed(cases, {"gpu0"}, make, callbacks, concurrency);
    else
      run_all(cases, *make(0, callbacks, {}), callbacks, clock);
    std::multiset<std::string> asked = keys(cases);
    for (const Measurement& one : measured) {
      const auto found = asked.find(key_of_any(one.what));
      EXPECT_NE(found, asked.end()) << "twice: " << tuning_text(one.what.tuning);
      if (found != asked.end()) asked.erase(found);
    }
    EXPECT_TRUE(asked.empty() || stops_after < 1000);
  }
  std::optional<Isolation> isolation_of(int tuning) const {
    for (const Measurement& one : measured)
      if (one.what.tuning.empty() ? tuning == 0 : one.what.tuning[0].second.number == tuning)
        return one.isolation;
    ADD_FAILURE() << "tuning " << tuning << " was not measured";
    return {};
  }
};

const Concurrency short_up_to_10{Overlap::long_calls, 1e-5, true};

// A search compares device times, so tunings may overlap even if their calls are short. Only the default and
// the fastest tuning are sampled again in isolation, for their call times.
TEST(Distribution, OfManyTuningsTheCallsOfTheDefaultAndTheFastestAreSampledAlone) {
  Search search{.microseconds = {4, 5, 3, 2, 6, 3}};
  search.go(short_up_to_10);
  EXPECT_EQ(search.runs,
            (std::vector<std::string>{"", "block=1", "block=2", "block=3", "block=4", "block=5", "block=3"}));
  for (const int tuning : {0, 3}) EXPECT_EQ(search.isolation_of(tuning), Isolation::calls_alone) << tuning;
  for (const int tuning : {1, 2, 4, 5})
    EXPECT_EQ(search.isolation_of(tuning), Isolation::calls_disturbed) << tuning;
  for (const Measurement& one : search.measured)
    EXPECT_EQ(one.warnings.size(), one.isolation == Isolation::calls_disturbed ? 1u : 0u);
}

TEST(Distribution, AFastestThatIsWrongWhenItIsMeasuredAgainIsWrong) {
  Search search{.microseconds = {4, 5, 3, 2}, .wrong_after = 4};
  search.go(short_up_to_10);
  ASSERT_EQ(search.runs.back(), "block=3");
  EXPECT_EQ(search.measured.back().status, Status::wrong);
}

TEST(Distribution, ADefaultThatIsTheFastestIsNotMeasuredAgain) {
  Search search{.microseconds = {1, 5, 3, 2}};
  search.go(short_up_to_10);
  EXPECT_EQ(search.runs.size(), 4u);
  EXPECT_EQ(search.isolation_of(3), Isolation::calls_disturbed);
}

TEST(Distribution, FewTuningsAreNoSearch) {
  Search search{.microseconds = {4, 5, 3}};
  search.go(short_up_to_10);
  EXPECT_EQ(search.runs.size(), 3u);
  for (const int tuning : {0, 1, 2}) EXPECT_EQ(search.isolation_of(tuning), Isolation::calls_alone);
}

TEST(Distribution, TuningsWithoutTimesOnTheDeviceAreSampledAlone) {
  Search search{.microseconds = {4, 5, 3, 2}, .known = false};
  search.go(short_up_to_10);
  EXPECT_EQ(search.runs.size(), 1u + 2 * 3u);  // missing device times are noticed during the measurement
  for (const int tuning : {0, 1, 2, 3}) EXPECT_EQ(search.isolation_of(tuning), Isolation::calls_alone);
}

TEST(Distribution, ASearchThatIsStoppedKeepsItsFastest) {
  Search search{.microseconds = {4, 5, 3, 2, 6}, .stops_after = 4};
  search.go(short_up_to_10);
  EXPECT_EQ(search.measured.size(), 4u);
  EXPECT_EQ(search.isolation_of(3), Isolation::calls_disturbed);
}

TEST(Distribution, ASearchThatFailsKeepsItsFastest) {
  for (const std::size_t runs : {3, 4}) {  // fails in the last tuning, or when the fastest is measured again
    Search search{.microseconds = {4, 5, 2, 3}, .fails_after = runs};
    EXPECT_THROW(search.go(short_up_to_10), UserError);
    EXPECT_EQ(search.measured.size(), runs);
    EXPECT_EQ(search.isolation_of(2), Isolation::calls_disturbed);
  }
}

const Measurement& measurement_of(const Search& search, const std::string& tuning) {
  const auto found =
      std::find_if(search.measured.begin(), search.measured.end(),
                   [&](const Measurement& one) { return tuning_text(one.what.tuning) == tuning; });
  if (found == search.measured.end()) throw UserError(tuning + " was not measured");
  return *found;
}

// With copies, only the default and the fastest tuning are also timed from end to end.
TEST(Distribution, OfManyTuningsTheDefaultAndTheFastestHaveAPassFromEndToEnd) {
  for (const bool distributed : {false, true}) {
    Search search{.microseconds = {4, 5, 3, 2, 6, 3}, .pass = Status::ok, .distributed = distributed};
    search.go({});
    EXPECT_EQ(search.runs, (std::vector<std::string>{"", "block=1", "block=2", "block=3", "block=4",
                                                     "block=5", "block=3 pass"}));
    for (const Measurement& one : search.measured) {
      const std::string tuning = tuning_text(one.what.tuning);
      EXPECT_EQ(one.status, Status::ok);
      EXPECT_EQ(one.end_to_end_times, tuning.empty()        ? std::vector{1e-4}
                                      : tuning == "block=3" ? std::vector{2e-4}
                                                            : std::vector<double>{})
          << tuning;
      EXPECT_EQ(one.call_times.size(), 9u) << tuning;  // the call times that made it the fastest
      EXPECT_EQ(one.alloc_times.size(), 1u) << tuning;
    }
    EXPECT_EQ(measurement_of(search, "block=3").prepare_times, std::vector{1e-3});
  }
}

TEST(Distribution, ADefaultThatIsTheFastestHasItsPassAndNoOther) {
  for (const bool distributed : {false, true}) {
    Search search{.microseconds = {1, 5, 3, 2}, .pass = Status::ok, .distributed = distributed};
    search.go({});
    EXPECT_EQ(search.runs.size(), 4u);
    EXPECT_EQ(search.measured.size(), 4u);
  }
}

TEST(Distribution, OfFewTuningsEachHasItsPass) {
  for (const bool distributed : {false, true}) {
    Search search{.microseconds = {4, 5, 3}, .pass = Status::ok, .distributed = distributed};
    search.go({});
    EXPECT_EQ(search.runs.size(), 3u);
    for (const Measurement& one : search.measured) EXPECT_EQ(one.end_to_end_times.size(), 1u);
  }
}

// If other workers disturbed its call time, the fastest tuning is measured once more, from end to end, too.
TEST(Distribution, TheFastestOnTheDeviceIsMeasuredOnceMoreWithItsPass) {
  Search search{.microseconds = {4, 5, 3, 2}, .pass = Status::ok};
  search.go(short_up_to_10);
  EXPECT_EQ(search.runs.back(), "block=3");
  EXPECT_EQ(search.runs.size(), 5u);
  EXPECT_EQ(measurement_of(search, "block=3").end_to_end_times, std::vector{1e-4});
  EXPECT_EQ(search.isolation_of(3), Isolation::calls_alone);
}

TEST(Distribution, APassThatShowsAWrongResultIsTheCases) {
  for (const bool distributed : {false, true}) {
    Search wrong{.microseconds = {4, 5, 3, 2}, .pass = Status::wrong, .distributed = distributed};
    wrong.go({});
    EXPECT_EQ(measurement_of(wrong, "block=3").status, Status::wrong);
    EXPECT_TRUE(measurement_of(wrong, "block=3").call_times.empty());
    // If the end-to-end pass exceeds the time limit, the call times are kept.
    Search cut{.microseconds = {4, 5, 3, 2}, .pass = Status::timed_out, .distributed = distributed};
    cut.go({});
    const Measurement& fastest = measurement_of(cut, "block=3");
    EXPECT_EQ(fastest.status, Status::ok);
    EXPECT_EQ(fastest.call_times.size(), 9u);
    ASSERT_EQ(fastest.warnings.size(), 1u);
    EXPECT_TRUE(fastest.warnings[0].starts_with("cut short"));
  }
}

// If the run is stopped or fails, its measurements are still stored.
TEST(Distribution, ASearchWithCopiesThatIsStoppedOrFailsKeepsItsFastest) {
  for (const bool distributed : {false, true}) {
    for (const std::size_t runs : {3, 4}) {  // ends in the last tuning, or before the end-to-end pass
      Search stopped{
          .microseconds = {4, 5, 2, 3}, .stops_after = runs, .pass = Status::ok, .distributed = distributed};
      stopped.go({});
      EXPECT_EQ(stopped.measured.size(), runs);
      EXPECT_TRUE(measurement_of(stopped, "block=2").end_to_end_times.empty());
      Search failed{
          .microseconds = {4, 5, 2, 3}, .fails_after = runs, .pass = Status::ok, .distributed = distributed};
      EXPECT_THROW(failed.go({}), UserError);
      EXPECT_EQ(failed.measured.size(), runs);
    }
  }
}

// Returns true if two workers may sample calls of `call` seconds at the same time.
bool overlap(const Concurrency& concurrency, bool by_device, double call) {
  ExclusiveSection section(2, concurrency);
  for (const std::size_t worker : {0u, 1u}) section.begin_case(worker, by_device);
  EXPECT_TRUE(section.ask(0, Stage::sampling, StageClass::device, call));
  return section.ask(1, Stage::sampling, StageClass::device, call);
}

TEST(Distribution, WhatIsJudgedByItsTimeOnTheDeviceOverlapsUnlessThatMoves) {
  EXPECT_TRUE(overlap(short_up_to_10, false, 2e-5));
  EXPECT_FALSE(overlap(short_up_to_10, false, 5e-6));
  EXPECT_TRUE(overlap(short_up_to_10, true, 5e-6));
  EXPECT_FALSE(overlap({Overlap::nothing, 0, true}, true, 5e-6));
}

// Light checks cost the host little, so they may overlap with timed stages of other devices.
TEST(Distribution, WhatIsLightIsBesideWhatIsTimed) {
  for (const bool by_device : {false, true})
    for (const Concurrency& concurrency :
         {Concurrency{}, short_up_to_10, Concurrency{Overlap::nothing, 0, true}}) {
      ExclusiveSection section(2, concurrency);
      for (const std::size_t worker : {0u, 1u}) section.begin_case(worker, by_device);
      EXPECT_TRUE(section.ask(0, Stage::sampling, StageClass::device, 1e-3));
      EXPECT_EQ(section.ask(1, Stage::checking, StageClass::light), concurrency.overlap != Overlap::nothing);
    }
}

// Tests the isolation that is stored with each measurement: what ran at the same time.
TEST(Distribution, SaysWhatWasBesideACase) {
  const auto isolation = [](const Concurrency& concurrency, double call) {
    Search search{.microseconds = {4, 5, 3, 2}, .call = call};
    search.go(concurrency);
    return search.isolation_of(1);
  };
  EXPECT_EQ(isolation({Overlap::nothing, 0, true}, 1e-6), Isolation::alone);
  EXPECT_EQ(isolation({Overlap::all, 0, true}, 1e-6), Isolation::undisturbed);
  EXPECT_EQ(isolation({}, 1e-6), Isolation::not_tried);
  EXPECT_EQ(isolation(short_up_to_10, 1e-5), Isolation::calls_disturbed);
  EXPECT_EQ(isolation(short_up_to_10, 2e-5), Isolation::undisturbed);
  // If a case runs on the CPU or copies within its call, it is always isolated.
  ExclusiveSection section(1, {Overlap::all, 0, true});
  section.begin_case(0, true);
  EXPECT_FALSE(section.isolation_of(0));
  section.ask(0, Stage::sampling, StageClass::alone, 1);
  EXPECT_EQ(section.isolation_of(0), Isolation::alone);
  section.begin_case(0, false);
  EXPECT_FALSE(section.isolation_of(0));
}

// Storing is slow, and devices continue to measure during it.
TEST(Distribution, MeasuringDoesNotWaitForStoring) {
  std::atomic<int> run = 0;
  std::vector<std::string> stored;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& one) {
    for (int i = 0; i < 10000 && run < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stored.push_back(key_of(one.what));
  };
  const std::vector<Case> cases = cases_of(1);
  run_distributed(
      cases, {"gpu0"},
      [&](std::size_t, const Callbacks&, Participant participant) {
        return std::make_unique<Acting>(participant, StageClass::device, [&](const Case&) { ++run; });
      },
      callbacks);
  EXPECT_EQ(run, 3);
  std::vector<std::string> in_order;
  for (const Case& what : cases) in_order.push_back(key_of(what));
  EXPECT_EQ(stored, in_order);
}

// Measurements that arrive during a slow commit are stored together by the next commit.
TEST(Distribution, WhatWaitsToBeStoredIsStoredTogether) {
  std::atomic<int> run = 0;
  std::size_t stored = 0;
  std::vector<std::size_t> together;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement&) {
    for (int i = 0; i < 10000 && run < 12; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++stored;
  };
  callbacks.together = [&](const std::function<void()>& store) {
    const std::size_t before = stored;
    store();
    together.push_back(stored - before);
  };
  run_distributed(
      cases_of(4), {"gpu0"},
      [&](std::size_t, const Callbacks&, Participant participant) {
        return std::make_unique<Acting>(participant, StageClass::device, [&](const Case&) { ++run; });
      },
      callbacks);
  EXPECT_EQ(stored, 12u);
  ASSERT_FALSE(together.empty());
  EXPECT_GT(together[0], 1u);
}

TEST(Distribution, WhatCannotBeStoredEndsTheRunAndIsTold) {
  std::size_t told = 0;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement&) {
    ++told;
    throw UserError("the disk is full");
  };
  std::atomic<int> run = 0;
  EXPECT_THROW(run_distributed(
                   cases_of(100), {"gpu0", "gpu1"},
                   [&](std::size_t, const Callbacks&, Participant participant) {
                     return std::make_unique<Acting>(participant, StageClass::device, [&](const Case&) {
                       ++run;
                       std::this_thread::sleep_for(std::chrono::milliseconds(20));
                     });
                   },
                   callbacks),
               UserError);
  EXPECT_EQ(told, 1u);
  EXPECT_LT(run, 300);
}

TEST(ResultForwarder, KeepsTheOrderAndWaitsWhereTooManyWait) {
  std::atomic<bool> goes = false;
  std::atomic<std::size_t> added = 0;
  std::vector<std::int64_t> told;
  int times = 0;
  constexpr std::int64_t many = 3 * ResultForwarder::most_waiting;
  {
    ResultForwarder forwarder([&](std::span<const Measurement> waiting) {
      while (!goes) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      for (const Measurement& one : waiting) told.push_back(one.what.problem.n);
      ++times;
    });
    std::thread adding([&] {
      for (std::int64_t i = 0; i < many; ++i, ++added) {
        Measurement one;
        one.what.problem.n = i;
        forwarder.add(std::move(one));
      }
    });
    while (added < ResultForwarder::most_waiting) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_LE(added, 2 * ResultForwarder::most_waiting);  // one batch waits while another one is stored
    goes = true;
    adding.join();
  }
  ASSERT_EQ(told.size(), static_cast<std::size_t>(many));
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_LT(times, many / 2);  // waiting measurements are stored in batches
}

TEST(Distribution, AnErrorOfOneSlotEndsTheRunAndIsTold) {
  Seen seen;
  const auto make = [&](std::size_t slot, const Callbacks&, Participant participant) {
    if (slot == 1) throw UserError("no worker here");
    return std::make_unique<Acting>(participant, StageClass::loose, [](const Case&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
  };
  EXPECT_THROW(run_distributed(cases_of(100), {"gpu0", "gpu1"}, make, seen.callbacks), UserError);
  EXPECT_LT(seen.measurements.size(), 300u);
}

TEST(Distribution, EndsWhenItIsToStop) {
  Seen seen;
  seen.callbacks.stop = [&] { return seen.measurements.size() >= 5; };
  run_distributed(
      cases_of(20), {"gpu0", "gpu1"},
      [&](std::size_t, const Callbacks&, Participant participant) {
        return std::make_unique<Acting>(participant, StageClass::loose, [](const Case&) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        });
      },
      seen.callbacks);
  EXPECT_GE(seen.measurements.size(), 5u);
  EXPECT_LT(seen.measurements.size(), 30u);  // includes the measurements in progress during the stop
}

// The stages of a case on a GPU that are timed on the device, those that need the whole machine, and the
// checks.
constexpr Stage timed_on_device[] = {
    Stage::warming_up,        Stage::sampling,         Stage::timing_after_pauses,
    Stage::timing_phases,     Stage::timing_on_device, Stage::reading_counters,
    Stage::reading_gpu_state, Stage::measuring_energy, Stage::reaching_steady_state};
constexpr Stage shares_nothing[] = {Stage::timing_allocation, Stage::copying, Stage::timing_end_to_end};
constexpr Stage checks[] = {Stage::starting, Stage::allocating, Stage::preparing, Stage::checking,
                            Stage::checking_again};

bool is_among(std::span<const Stage> stages, Stage stage) {
  return std::find(stages.begin(), stages.end(), stage) != stages.end();
}

TEST(StageClasses, AreSaidOfEveryStage) {
  setenv("SEXTANT_STAND_IN_GPUS", "alpha", 1);  // stand-in GPU, whose cases have host arrays
  const Case on_gpu = fault("serial.right", 1000), on_cpu = fault("serial.right", 1000, "cpu");
  for (Stage stage = Stage::starting; stage != Stage::unknown;
       stage = static_cast<Stage>(static_cast<int>(stage) + 1)) {
    const StageClass expected = is_among(timed_on_device, stage)  ? StageClass::device
                                : is_among(shares_nothing, stage) ? StageClass::alone
                                                                  : StageClass::loose;
    EXPECT_EQ(class_of_stage(stage, on_gpu), expected) << name_of(stage);
    EXPECT_EQ(class_of_stage(stage, on_gpu, true) == StageClass::light, is_among(checks, stage))
        << name_of(stage);
    for (const bool is_light : {false, true})
      EXPECT_EQ(class_of_stage(stage, on_cpu, is_light), StageClass::alone) << name_of(stage);
    EXPECT_EQ(stage_from(name_of(stage)), stage);
  }
  unsetenv("SEXTANT_STAND_IN_GPUS");
  // On a real GPU, a case with host arrays copies them within each call.
  EXPECT_EQ(class_of_stage(Stage::sampling, on_gpu), StageClass::alone);
  EXPECT_EQ(class_of_stage(Stage::checking, on_gpu), StageClass::loose);
  for (const StageClass one : {StageClass::loose, StageClass::device, StageClass::alone, StageClass::light})
    EXPECT_EQ(stage_class_from(name_of(one)), one);
}

TEST(StageClasses, AStageOfAnotherReleaseIsLoose) {
  EXPECT_EQ(stage_from("dreaming"), Stage::unknown);
  EXPECT_EQ(class_of_stage(Stage::unknown, fault("serial.right", 1000)), StageClass::loose);
}

// Runs in worker processes on stand-ins for GPUs.
class DistributedToWorkers : public testing::Test {
 protected:
  DistributedToWorkers() { setenv("SEXTANT_STAND_IN_GPUS", "alpha,alpha,alpha", 1); }
  ~DistributedToWorkers() override { unsetenv("SEXTANT_STAND_IN_GPUS"); }

  static Settings quick() {
    Settings settings;
    settings.min_samples = 3;
    settings.case_seconds = 0.02;
    settings.timeout = 20;
    settings.seed = 7;
    return settings;
  }

  struct Interval {
    std::string device;
    Stage stage;
    StageClass held;
    double begin, end;
  };

  std::vector<Measurement> measure(const std::vector<Case>& cases, std::size_t devices,
                                   const Settings& settings = quick(), const Concurrency& concurrency = {}) {
    std::vector<WorkerSlot> slots = {{"cpu", {{test_worker()}}}};
    for (std::size_t i = 0; i < devices; ++i) slots.push_back({"gpu" + std::to_string(i), {{test_worker()}}});
    Seen seen;
    SteadyClock clock;
    seen.callbacks.spent = [&](const Case& what, Stage stage, double seconds) {
      const double now = clock.now();
      StageClass one =
          class_of_stage(stage, what, stage == Stage::checking_again);  // its data are on the device
      if (one == StageClass::light) one = StageClass::device;
      if (stage != Stage::waiting_for_turn)
        intervals_.push_back({what.device, stage, one, now - seconds, now});
    };
    seen.callbacks.message = [&](const std::string& text) { messages_.push_back(text); };
    execute_distributed(cases, settings, slots, seen.callbacks, concurrency);
    return seen.measurements;
  }

  std::vector<Interval> intervals_;
  std::vector<std::string> messages_;
};

std::vector<Case> right_cases(int problems) {
  std::vector<Case> cases;
  for (int i = 0; i < problems; ++i) {
    cases.push_back(fault("serial.right", 1000 + i, "cpu"));
    cases.push_back(fault("serial.right", 1000 + i));
    cases.push_back(fault("serial.misses_first", 1000 + i));
  }
  return cases;
}

TEST_F(DistributedToWorkers, EachCaseIsMeasuredOnceWithTheResultsOfOne) {
  const std::vector<Case> cases = right_cases(8);
  std::map<std::string, std::string> of_one;
  for (const Measurement& one : measure(cases, 1))
    of_one[key_of_any(one.what)] = std::string(name_of(one.status)) + one.reason + std::to_string(one.error);
  for (const std::size_t devices : {2u, 3u}) {
    const std::vector<Measurement> all = measure(cases, devices);
    EXPECT_EQ(keys(all), keys(cases));
    std::map<std::int64_t, std::set<std::string>> devices_of_problem;
    std::set<std::string> used;
    for (const Measurement& one : all) {
      EXPECT_EQ(of_one[key_of_any(one.what)],
                std::string(name_of(one.status)) + one.reason + std::to_string(one.error));
      EXPECT_EQ(one.seed, 7u);
      if (one.what.device == "cpu") continue;
      devices_of_problem[one.what.problem.n].insert(one.what.device);
      used.insert(one.what.device);
    }
    for (const auto& [n, where] : devices_of_problem) EXPECT_EQ(where.size(), 1u) << n;
    EXPECT_GT(used.size(), 1u);
  }
}

// By the parent's clock, stages on different devices may overlap each other. Stages of other classes may not,
// except for loose ones.
TEST_F(DistributedToWorkers, StagesOverlapOnlyWithWhatTheyMayBeBeside) {
  Settings settings = quick();
  settings.min_samples = 3;
  std::vector<Case> cases;
  for (int i = 0; i < 6; ++i) {  // several per device, so that they overlap even if one worker starts late
    cases.push_back(fault("serial.slow", 1000 + i));  // 0.3 s per launch
    cases.push_back(fault("serial.right", 1000 + i, "cpu"));
  }
  measure(cases, 2, settings);
  bool devices_overlapped = false;
  for (const Interval& a : intervals_)
    for (const Interval& b : intervals_) {
      if (a.device >= b.device || a.begin >= b.end || b.begin >= a.end) continue;
      EXPECT_EQ(a.held, b.held) << name_of(a.stage) << " beside " << name_of(b.stage);
      EXPECT_NE(a.held, StageClass::alone) << name_of(a.stage) << " beside " << name_of(b.stage);
      devices_overlapped |= a.stage == Stage::sampling && b.stage == Stage::sampling;
    }
  EXPECT_TRUE(devices_overlapped);
}

// Only the first check of a problem is expensive. The others are light and may overlap with sampling in
// another worker, which takes 0.6 s here.
TEST_F(DistributedToWorkers, LightChecksAreBesideWhatIsTimed) {
  std::vector<Case> cases = {fault("serial.right", 1000), fault("serial.slow", 1000)};
  for (int i = 0; i < 100; ++i) cases.push_back(fault("serial.right", 2000));
  for (const Measurement& one : measure(cases, 2)) EXPECT_EQ(one.status, Status::ok) << one.reason;
  int overlapping = 0;
  for (const Interval& a : intervals_)
    for (const Interval& b : intervals_)
      overlapping += a.device != b.device && a.begin < b.end && b.begin < a.end &&
                     a.stage == Stage::checking && b.stage == Stage::sampling && b.end - b.begin > 0.2;
  EXPECT_GT(overlapping, 0);  // only light checks may overlap with sampling
}

// Workers report the call time, on which the overlap depends.
TEST_F(DistributedToWorkers, ShortCallsAreSampledAloneAndLongOnesOverlap) {
  std::vector<Case> cases;
  for (int i = 0; i < 6; ++i) {
    cases.push_back(fault("serial.slow", 1000 + i));  // 0.3 s per launch
    cases.push_back(fault("serial.right", 1000 + i));
  }
  for (const Measurement& one : measure(cases, 2, quick(), {Overlap::long_calls, 0.1, true}))
    EXPECT_EQ(one.isolation,
              one.what.variant == "serial.slow" ? Isolation::undisturbed : Isolation::calls_alone)
        << one.what.variant;
  bool overlapped = false;
  for (const Interval& a : intervals_)
    for (const Interval& b : intervals_)
      overlapped |= a.device < b.device && a.begin < b.end && b.begin < a.end && a.stage == Stage::sampling &&
                    b.stage == Stage::sampling;
  EXPECT_TRUE(overlapped);
}

// The first calls are slow and must not be taken as the call time.
TEST_F(DistributedToWorkers, HowLongACallIsIsKnownWhenItIsWarm) {
  Settings settings = quick();
  settings.warm_seconds = 5;  // longer than a busy machine delays the slow calls; ends after fifty calls
  const std::vector<Measurement> all =
      measure({fault("serial.slow_until_warm", 1000)}, 2, settings, {Overlap::long_calls, 0.002, true});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
  EXPECT_EQ(all[0].isolation, Isolation::calls_alone);
}

// Starting a GPU takes about a second, so a worker serves several runs.
TEST_F(DistributedToWorkers, AWorkerServesASlotAgain) {
  std::vector<WorkerSlot> slots = {{"gpu0", {{test_worker()}, no_worker_yet()}}};
  for (int time = 0; time < 2; ++time) {
    std::vector<Stage> stages;
    Callbacks callbacks;
    callbacks.measured = [](const Measurement& one) { EXPECT_EQ(one.status, Status::ok) << one.reason; };
    callbacks.spent = [&](const Case&, Stage stage, double) { stages.push_back(stage); };
    execute_distributed({fault("serial.right", 1000)}, quick(), slots, callbacks);
    const bool has_reference =
        std::find(stages.begin(), stages.end(), Stage::computing_reference) != stages.end();
    EXPECT_EQ(has_reference, time == 0);  // the worker still has this problem's data
  }
}

// If a worker sees only one GPU, it uses that one, whatever GPU its cases name.
TEST_F(DistributedToWorkers, AWorkerMayBeShownItsGpuAlone) {
  std::vector<WorkerSlot> slots;
  for (const int gpu : {1, 2}) {
    WorkerCommand worker{{test_worker()}};
    worker.visible_gpu = std::to_string(gpu);
    slots.push_back({"gpu" + std::to_string(gpu), worker});
  }
  std::vector<Case> cases;
  for (int i = 0; i < 8; ++i) cases.push_back(fault("serial.right", 1000 + i));
  cases.push_back(fault("serial.aborts", 2000));
  Seen seen;
  execute_distributed(cases, quick(), slots, seen.callbacks);
  EXPECT_EQ(keys(seen.measurements), keys(cases));
  for (const Measurement& one : seen.measurements) {
    EXPECT_EQ(one.status, one.what.variant == "serial.right" ? Status::ok : Status::failed) << one.reason;
    EXPECT_TRUE(one.what.device == "gpu1" || one.what.device == "gpu2") << one.what.device;
  }
}

// Workers on separate host cores do not wait for each other.
TEST_F(DistributedToWorkers, CasesOnCoresOfTheirOwnOverlap) {
  std::vector<Case> cases;
  for (int i = 0; i < 4; ++i) cases.push_back(fault("serial.slow", 1000 + i, "cpu"));  // 0.3 s per launch
  struct Spent {
    std::int64_t n;
    double begin, end;
  };
  Seen seen;
  SteadyClock clock;
  std::vector<Spent> spent;
  seen.callbacks.spent = [&](const Case& what, Stage stage, double seconds) {
    const double now = clock.now();
    if (stage != Stage::waiting_for_turn) spent.push_back({what.problem.n, now - seconds, now});
  };
  std::vector<WorkerSlot> slots = {{"cpu", {{test_worker()}}, true}, {"cpu", {{test_worker()}}, true}};
  bool waited = false;
  slots[1].wait = [&] { waited = true; };
  execute_distributed(cases, quick(), slots, seen.callbacks);
  EXPECT_TRUE(waited);
  EXPECT_EQ(keys(seen.measurements), keys(cases));
  for (const Measurement& one : seen.measurements) EXPECT_EQ(one.status, Status::ok) << one.reason;
  // Requires an overlap of 0.1 s, a third of a launch. Delays of this process's clock readings are shorter.
  const bool overlapped = std::any_of(spent.begin(), spent.end(), [&](const Spent& a) {
    return std::any_of(spent.begin(), spent.end(), [&](const Spent& b) {
      return a.n != b.n && std::min(a.end, b.end) - std::max(a.begin, b.begin) > 0.1;
    });
  });
  EXPECT_TRUE(overlapped);
}

TEST_F(DistributedToWorkers, AWorkerThatDiesCostsItsCaseAndGivesBackWhatItHeld) {
  std::vector<Case> cases;
  for (int i = 0; i < 6; ++i) {
    cases.push_back(fault("serial.right", 1000 + i));
    cases.push_back(fault(i % 2 ? "serial.aborts" : "serial.dereferences_null", 1000 + i));
    cases.push_back(fault("serial.right", 1000 + i, "cpu"));
  }
  cases.push_back(fault("serial.loops_for_ever", 2000));
  Settings settings = quick();
  settings.timeout = 5;
  const std::vector<Measurement> all = measure(cases, 3, settings);
  EXPECT_EQ(keys(all), keys(cases));
  for (const Measurement& one : all) {
    if (one.what.variant == "serial.right")
      EXPECT_EQ(one.status, Status::ok) << one.reason;
    else if (one.what.variant == "serial.loops_for_ever")
      EXPECT_EQ(one.status, Status::timed_out) << one.reason;
    else
      EXPECT_EQ(one.status, Status::failed) << one.reason;
  }
}

// Waiting for other workers does not count towards the time limit. While the GPU case is checked (0.6 s), the
// CPU case starts and then blocks it for longer than its limit.
TEST_F(DistributedToWorkers, WhoWaitsForItsTurnDoesNotRunOutOfTime) {
  static constexpr double limit = 4;
  const std::vector<Case> cases = {fault("serial.right", 1000, "cpu"), fault("serial.slow", 3000)};
  Seen seen;
  std::atomic<bool> begun = false;
  seen.callbacks.spent = [&](const Case& what, Stage stage, double) {
    if (what.device == "gpu0" && stage == Stage::starting) begun = true;
  };
  run_distributed(
      cases, {"cpu", "gpu0"},
      [&](std::size_t slot, const Callbacks& callbacks,
          Participant participant) -> std::unique_ptr<CaseExecutor> {
        Settings settings = quick();
        settings.timeout = limit;
        if (slot == 1) return make_worker_executor({{test_worker()}}, settings, callbacks, participant);
        for (int looks = 0; !begun && looks < 60000; ++looks)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return std::make_unique<Acting>(participant, StageClass::alone, [](const Case&) {
          std::this_thread::sleep_for(std::chrono::duration<double>(1.5 * limit));
        });
      },
      seen.callbacks);
  EXPECT_TRUE(begun);
  EXPECT_EQ(keys(seen.measurements), keys(cases));
  for (const Measurement& one : seen.measurements) EXPECT_EQ(one.status, Status::ok) << one.reason;
}

}  // namespace
}  // namespace sextant
