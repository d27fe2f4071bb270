// Tests that a faulty variant costs only its own case: the case states the reason, and its neighbours are
// measured.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <thread>

#include "base/error.hpp"
#include "engine/executor.hpp"
#include "engine/form/warnings.hpp"
#include "engine/process/worker_process.hpp"
#include "engine/process/worker_questions.hpp"
#include "faults/faults.hpp"
#include "plan/describe.hpp"
#include "plan/plan.hpp"
#include "record/json_text.hpp"
#include "registry/registry.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

const WorkerCommand worker{{test_worker()}};

Case fault_case(const std::string& variant, std::int64_t n = 2000) {
  static const bool added = [] {
    add_fault_kernels();
    return true;
  }();
  (void)added;
  Case what;
  what.kernel = "fault";
  what.variant = variant;
  what.problem = {n, ElementType::float32, find_kernel("fault")->kernel.extents(n), {}};
  what.device = variant.rfind("cuda.", 0) == 0 ? "gpu0" : "cpu";
  return what;
}

Settings quick() {
  Settings settings;
  settings.min_samples = 3;
  settings.case_seconds = 0.01;
  settings.timeout = 20;
  settings.seed = 7;
  return settings;
}

std::vector<Measurement> measure(const std::vector<Case>& cases, const Settings& settings = quick(),
                                 std::vector<std::string>* messages = nullptr) {
  std::vector<Measurement> measurements;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& measurement) { measurements.push_back(measurement); };
  callbacks.message = [&](const std::string& text) {
    if (messages) messages->push_back(text);
  };
  execute(cases, settings, worker, callbacks);
  return measurements;
}

// Measures a faulty case between two right ones, and expects that the right ones succeed. Returns the
// measurement of the faulty case.
Measurement between_right_ones(const std::string& variant, const Settings& settings = quick(),
                               const char* right = "serial.right") {
  const std::vector<Measurement> all =
      measure({fault_case(right), fault_case(variant), fault_case(right)}, settings);
  EXPECT_EQ(all.size(), 3u);
  if (all.size() != 3) return {};
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
  EXPECT_EQ(all[2].status, Status::ok) << all[2].reason;
  EXPECT_GE(all[2].call_times.size(), 3u);
  EXPECT_EQ(all[1].what.variant, variant);
  EXPECT_TRUE(all[1].status == Status::ok || all[1].call_times.empty()) << "timed though not right";
  return all[1];
}

#define EXPECT_SAYS(measurement, text) \
  EXPECT_NE((measurement).reason.find(text), std::string::npos) << (measurement).reason

#ifndef SEXTANT_TEST_GPU
// Settings for tests of samples that are batches of short calls. Audits time single calls on fresh inputs,
// which may replace the batches. Warm-up calls that a busy machine delays may seem to be long calls.
Settings quick_batches() {
  Settings settings = quick();
  settings.visit = true;      // no audits
  settings.warm_seconds = 5;  // longer than any delay; ends after fifty calls
  return settings;
}

// A variant that stops computing after the check is wrong and gets no times.
TEST(Faults, WhatStopsWorkingAfterTheCheckIsWrong) {
  for (const char* variant : {"serial.works_twice", "serial.stops_working", "serial.stops_working_slowly"}) {
    Settings settings = quick();
    settings.case_seconds = 0.2;
    const Measurement m = between_right_ones(variant, settings);
    EXPECT_EQ(m.status, Status::wrong) << variant;
    EXPECT_SAYS(m, "wrong on fresh inputs: c[0] is ");
    EXPECT_TRUE(m.device_times.empty() && m.end_to_end_times.empty());
  }
}

// If a launch reports failure during the check or the samples, the case fails with the reason.
TEST(Faults, WhatGivesUpFails) {
  for (const char* variant : {"serial.gives_up", "serial.gives_up_later"}) {
    const Measurement m = between_right_ones(variant);
    EXPECT_EQ(m.status, Status::failed) << variant;
    EXPECT_EQ(m.reason, "nobody answered");
    EXPECT_TRUE(m.call_times.empty());
  }
}

// The timed inputs differ from the checked ones, so answers or inputs kept from the check are wrong.
TEST(Faults, KeptAnswersAndOperandsAreWrong) {
  for (const char* variant : {"serial.keeps_its_answer", "serial.keeps_its_operand"}) {
    const Measurement m = between_right_ones(variant);
    EXPECT_EQ(m.status, Status::wrong) << variant;
    EXPECT_SAYS(m, "c[0] is ");
  }
}

TEST(Faults, RightCaseIsMeasured) {
  const std::vector<Measurement> all = measure({fault_case("serial.right")});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
  EXPECT_GE(all[0].call_times.size(), 3u);
  EXPECT_TRUE(all[0].device_times.empty());
  EXPECT_TRUE(all[0].end_to_end_times.empty());
  EXPECT_EQ(all[0].seed, 7u);
  EXPECT_EQ(all[0].work.flops, 1000);
  EXPECT_EQ(all[0].timestamp.size(), 20u);
  EXPECT_EQ(all[0].timestamp.back(), 'Z');
}

// In a search, a clearly slower case gets only the minimum number of samples.
TEST(Faults, SlowCasesGetNoMoreSamplesThanItTakes) {
  Settings settings = quick();
  settings.check_fully = true;
  const auto one = [&] { return measure({fault_case("serial.right")}, settings).at(0); };
  settings.give_up_above = 1e-12;
  const Measurement checked = one();
  EXPECT_EQ(checked.status, Status::ok) << checked.reason;
  EXPECT_EQ(checked.effort, Effort::checked_only);
  EXPECT_EQ(checked.call_times.size(), 1u);
  settings.give_up_above = 0;
  settings.screen_above = 1e-12;
  const Measurement stopped = one();
  EXPECT_EQ(stopped.effort, Effort::stopped_early);
  EXPECT_EQ(stopped.call_times.size(), 3u);
  settings.give_up_above = settings.screen_above = 1000;
  EXPECT_EQ(one().effort, Effort::measured);
  EXPECT_GE(one().call_times.size(), 3u);
}

// A wrong case is reported as wrong, even if a search would stop it early.
TEST(Faults, SlowCasesAreCheckedAllTheSame) {
  Settings settings = quick();
  settings.check_fully = true;
  settings.give_up_above = 1e-12;
  EXPECT_EQ(measure({fault_case("serial.misses_last")}, settings).at(0).status, Status::wrong);
}

TEST(Faults, AbortCostsOneCase) {
  const Measurement m = between_right_ones("serial.aborts");
  EXPECT_EQ(m.status, Status::failed);
  EXPECT_SAYS(m, "signal 6");
  EXPECT_SAYS(m, "while checking");
}

TEST(Faults, BadAddressCostsOneCase) {
  const Measurement m = between_right_ones("serial.dereferences_null");
  EXPECT_EQ(m.status, Status::failed);
  EXPECT_SAYS(m, "while checking");
}

TEST(Faults, ExitInTheMiddleCostsOneCase) {
  const Measurement m = between_right_ones("serial.exits");
  EXPECT_EQ(m.status, Status::failed);
  EXPECT_SAYS(m, "exited with status 0");
}

TEST(Faults, LastWordsBecomeTheReason) {
  const Measurement m = between_right_ones("serial.complains_and_exits");
  EXPECT_EQ(m.status, Status::failed);
  EXPECT_SAYS(m, "exited with status 7");
  EXPECT_SAYS(m, "libfault: the device is on fire");
}

TEST(Faults, EndlessLoopIsTimedOut) {
  Settings settings = quick();
  settings.timeout = 3;
  const Measurement m = between_right_ones("serial.loops_for_ever", settings);
  EXPECT_EQ(m.status, Status::timed_out);
  EXPECT_SAYS(m, "not done after 3 s");
  EXPECT_SAYS(m, "while checking");
}

// Simulates a worker that spends more than the time limit in `stage` and then reports a measurement.
Measurement slow_in(const std::string& stage) {
  Measurement right;
  right.what = fault_case("serial.right");
  right.status = Status::ok;
  const WorkerCommand slow{{"/bin/sh", "-c",
                            "echo '{\"ready\":1}' >&4; read request <&3; echo '{\"stage\":\"" + stage +
                                "\"}' >&4; sleep 3; echo '{\"stage\":\"checking\"}' >&4; sleep 0.2; "
                                "echo '{\"measurement\":" +
                                to_json(right) + "}' >&4; read request <&3"}};
  Settings settings = quick();
  settings.timeout = 2;
  Measurement got;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& measurement) { got = measurement; };
  execute({right.what}, settings, slow, callbacks);
  return got;
}

// Measures two cases. The worker of the first case answers `reply`, which must not affect the second case.
std::vector<Measurement> answered_by(const std::string& reply) {
  const Case first = fault_case("serial.right"), second = fault_case("serial.right", 3000);
  const test::TemporaryFolder folder;
  const std::string done = folder / "done";
  Measurement right;
  right.what = second;
  right.status = Status::ok;
  const WorkerCommand liar{{"/bin/sh", "-c",
                            "echo '{\"ready\":1}' >&4; read request <&3; if [ -e " + done +
                                " ]; then echo '{\"measurement\":" + to_json(right) + "}' >&4; else touch " +
                                done + "; printf '%s\\n' '" + reply + "' >&4; fi; read request <&3"}};
  std::vector<Measurement> all;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& measurement) { all.push_back(measurement); };
  execute({first, second}, quick(), liar, callbacks);
  return all;
}

TEST(Faults, AnAnswerThatIsNoneCostsOneCase) {
  Measurement other;
  other.what = fault_case("serial.right", 4000);
  for (const std::string& reply :
       {std::string("garbage"), std::string("[1]"), std::string("{\"measurement\":{}}"),
        std::string("{\"stage\":7}"), std::string("{\"measurement\":") + to_json(other) + "}"}) {
    const std::vector<Measurement> all = answered_by(reply);
    ASSERT_EQ(all.size(), 2u) << reply;
    EXPECT_EQ(all[0].status, Status::failed) << reply;
    EXPECT_SAYS(all[0], "the worker sent an invalid answer");
    EXPECT_EQ(all[1].status, Status::ok) << reply;
  }
}

// The simulated worker takes samples and then hangs in a later stage. The samples must be kept.
TEST(Faults, SamplesThatWereTakenOutliveTheTimeLimit) {
  Measurement right;
  right.what = fault_case("serial.right");
  right.status = Status::ok;
  right.call_times = {1, 2, 3};
  const WorkerCommand hangs{
      {"/bin/sh", "-c",
       "echo '{\"ready\":1}' >&4; read request <&3; echo '{\"taken\":" + to_json(right) +
           "}' >&4; echo '{\"stage\":\"timing phases\"}' >&4; sleep 30"}};
  Settings settings = quick();
  settings.timeout = 2;
  Measurement got;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& measurement) { got = measurement; };
  execute({right.what}, settings, hangs, callbacks);
  EXPECT_EQ(got.status, Status::ok);
  EXPECT_EQ(got.call_times, right.call_times);
  ASSERT_EQ(got.warnings.size(), 1u);
  EXPECT_NE(got.warnings[0].find("while timing phases"), std::string::npos) << got.warnings[0];
  EXPECT_NE(got.warnings[0].find("--timeout"), std::string::npos) << got.warnings[0];
}

TEST(Faults, TheStartOfAGpuIsNoCasesTime) {
  EXPECT_EQ(slow_in("starting the GPU").status, Status::ok);
  EXPECT_EQ(slow_in("preparing").status, Status::timed_out);
}

TEST(Faults, ExhaustedMemoryCostsOneCase) {
  const Measurement m = between_right_ones("serial.runs_out_of_memory");
  EXPECT_EQ(m.status, Status::failed);
  EXPECT_SAYS(m, "memory");
}

TEST(Faults, OutputOfAKernelDoesNotDisturb) {
  EXPECT_EQ(between_right_ones("serial.talks").status, Status::ok);
}

TEST(Faults, WrongResultIsStoredUntimed) {
  const Measurement m = between_right_ones("serial.slightly_off");
  EXPECT_EQ(m.status, Status::wrong);
  EXPECT_SAYS(m, "c[500]");
  EXPECT_NEAR(m.error, 1e-4, 1e-5);
}

TEST(Faults, InputsChangedByOneVariantAreRestoredForTheNext) {
  const Measurement m = between_right_ones("serial.changes_input");
  EXPECT_EQ(m.status, Status::wrong);
  EXPECT_SAYS(m, "changed its input array a");
}

TEST(Faults, UnavailableVariantIsSkipped) {
  const Measurement m = between_right_ones("serial.unavailable");
  EXPECT_EQ(m.status, Status::skipped);
  EXPECT_EQ(m.reason, "its library is not on this machine");
}

TEST(Faults, RefusedTuningIsSkipped) {
  Case good = fault_case("serial.constrained"), bad = good;
  good.tuning = {{"block_size", 128}};
  bad.tuning = {{"block_size", 2048}};
  const std::vector<Measurement> all = measure({good, bad});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
  EXPECT_EQ(all[1].status, Status::skipped);
  EXPECT_EQ(all[1].reason, "more than 1024 threads in a block");
}

// If no code was compiled for a tuning's value, the launch or preparation must fail, not pass silently.
TEST(Faults, AChoiceWithoutCodeFailsByName) {
  for (const char* variant : {"serial.lacks_a_choice", "serial.lacks_a_choice_to_prepare"})
    for (const bool check_only : {false, true}) {
      Case good = fault_case(variant), bad = good;
      good.tuning = {{"block_size", 256}};
      bad.tuning = {{"block_size", 2048}};
      Settings settings = quick();
      settings.check_only = check_only;  // `sextant verify` sets this
      const std::vector<Measurement> all = measure({good, bad, good}, settings);
      ASSERT_EQ(all.size(), 3u);
      EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
      EXPECT_EQ(all[1].status, Status::failed) << variant;
      EXPECT_EQ(all[1].reason, "no code was compiled for the choice 2048, only for 128, 256");
      EXPECT_TRUE(all[1].call_times.empty());
      EXPECT_EQ(all[2].status, Status::ok) << all[2].reason;
    }
}

TEST(Faults, TooLargeProblemIsSkippedWithTheLargestThatFits) {
  const Measurement m = measure({fault_case("serial.right", std::int64_t{1} << 50)}).at(0);
  EXPECT_EQ(m.status, Status::skipped);
  EXPECT_SAYS(m, "of host memory");
  EXPECT_SAYS(m, "The largest N that fits is ");
}

TEST(Faults, UnknownDeviceIsSkipped) {
  Case what = fault_case("serial.right");
  what.device = "tpu";
  const Measurement m = measure({what}).at(0);
  EXPECT_EQ(m.status, Status::skipped);
  EXPECT_SAYS(m, "no device tpu");
}

TEST(Faults, HostVariantOnAGpuIsSkipped) {
  Case what = fault_case("serial.right");
  what.device = "gpu0";
  const Measurement m = measure({what}).at(0);
  EXPECT_EQ(m.status, Status::skipped);
  EXPECT_SAYS(m, "runs on the CPU");
}

TEST(Faults, MissingGpuIsSkippedWithTheReason) {
  const Measurement m = between_right_ones("cuda.plain");
  if (m.status != Status::skipped) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_FALSE(m.reason.empty());
}

TEST(Faults, WhatItsGpuLacksIsAskedWhenTheGpuIsOpen) {
  const Measurement plain = between_right_ones("cuda.plain"),
                    newer = between_right_ones("cuda.for_a_newer_gpu");
  EXPECT_EQ(newer.status, Status::skipped);
  EXPECT_EQ(newer.reason, plain.status == Status::skipped ? plain.reason : "it needs a newer GPU");
}

TEST(Faults, CheckOnlyTimesNothing) {
  Settings settings = quick();
  settings.check_only = true;
  const Measurement m = measure({fault_case("serial.right")}, settings).at(0);
  EXPECT_EQ(m.status, Status::ok);
  EXPECT_TRUE(m.call_times.empty());
}

TEST(Faults, PreparingAndTheFirstCallAreTimedApart) {
  const std::vector<Measurement> all = measure({fault_case("serial.prepares"), fault_case("serial.right")});
  ASSERT_EQ(all.at(0).prepare_times.size(), 1u);
  EXPECT_GE(all[0].prepare_times[0], 0.005);  // it sleeps for 5 ms
  EXPECT_GT(all[0].first_call.value_or(0), 0);
  EXPECT_TRUE(all.at(1).prepare_times.empty());
  EXPECT_GT(all[1].first_call.value_or(0), 0);
}

TEST(Faults, ASingleUseIncludesWhatIsPreparedForItsInputs) {
  const std::vector<Measurement> all =
      measure({fault_case("serial.prepares"), fault_case("serial.prepares_for_inputs")});
  EXPECT_TRUE(all.at(0).end_to_end_times.empty());
  ASSERT_EQ(all.at(1).end_to_end_times.size(), all[1].call_times.size());
  EXPECT_DOUBLE_EQ(all[1].end_to_end_times[0], all[1].call_times[0] + all[1].prepare_times[0]);
  const KernelDescription described = describe(*find_kernel("fault"));
  EXPECT_FALSE(described.preparations.contains("serial.prepares"));
  EXPECT_EQ(described.preparations.at("serial.prepares_for_inputs"), DependsOn::structure);
}

TEST(Faults, ShortCallsAreTimedInARow) {
  const Measurement m = measure({fault_case("serial.right", 16)}, quick_batches()).at(0);
  EXPECT_GT(m.calls_per_sample, 1);
  EXPECT_GT(m.clock_step, 0);
  EXPECT_EQ(measure({fault_case("serial.slow", 100)}).at(0).calls_per_sample, 1);
}

TEST(Faults, InTurnsACaseIsCheckedOnce) {
  Settings settings = quick();
  settings.check_once = true;
  std::vector<Measurement> all;
  std::vector<std::int64_t> checked;  // N of each checked case
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& measurement) { all.push_back(measurement); };
  callbacks.spent = [&](const Case& what, Stage stage, double) {
    if (stage == Stage::checking) checked.push_back(what.problem.n);
  };
  execute({fault_case("serial.right"), fault_case("serial.right"), fault_case("serial.right", 3000)},
          settings, worker, callbacks);
  for (const Measurement& m : all) EXPECT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_EQ(checked, (std::vector<std::int64_t>{2000, 3000}));
  EXPECT_EQ(all.at(0).first_call,
            all.at(1).first_call);  // the result of the only check is reused
}

TEST(Faults, LongExecutionsOfTheCheckAreItsSamples) {
  Settings settings = quick();
  settings.min_samples = 10;
  settings.case_seconds = 0.05;
  const Measurement m = measure({fault_case("serial.slow")}, settings).at(0);
  EXPECT_EQ(m.status, Status::ok);
  ASSERT_EQ(m.call_times.size(), 2u);
  EXPECT_EQ(m.call_times[0], m.first_call);  // the 0.3 s call of the check serves as the first sample
}

TEST(Faults, ExecutionsOfTheCheckAreSamplesFromAHundredMillisecondsOn) {
  Settings settings = quick();
  settings.max_samples = 3;
  settings.case_seconds = 0.3;
  const Measurement m = measure({fault_case("serial.takes_120")}, settings).at(0);
  EXPECT_EQ(m.status, Status::ok) << m.reason;
  ASSERT_EQ(m.call_times.size(), 3u);
  EXPECT_EQ(m.call_times[0], m.first_call);
}

  #ifdef __x86_64__
TEST(Faults, AVariantThatChangesTheArithmeticIsToldOf) {
  const auto warned = [](const char* variant) {
    const Measurement m = measure({fault_case(variant)}).at(0);
    EXPECT_EQ(m.status, Status::ok) << m.reason;
    return std::count(m.warnings.begin(), m.warnings.end(), text_of(Warning::arithmetic, ""));
  };
  EXPECT_EQ(warned("serial.flushes"), 1);
  EXPECT_EQ(warned("serial.right"), 0);
}
  #endif

// If only the first call takes 0.2 s, short calls are still timed in batches.
TEST(Faults, ASlowFirstCallDecidesNothing) {
  Settings settings = quick_batches();
  settings.offload_on_host = true;
  for (const char* model : {"serial", "openmp", "stdpar", "library", "openacc", "target"}) {
    Case what = fault_case(std::string(model) + ".slow_at_first", 16);
    if (is_offloaded(find_variant(*find_kernel("fault"), what.variant)->model)) what.device = "gpu0";
    const Measurement m = measure({what}, settings).at(0);
    if (m.status == Status::skipped && what.device == "gpu0") continue;  // the build lacks this model
    EXPECT_EQ(m.status, Status::ok) << model << ": " << m.reason;
    EXPECT_GE(m.first_call, 0.2) << model;
    EXPECT_GT(m.calls_per_sample, 1) << model;
    EXPECT_EQ(std::count_if(m.call_times.begin(), m.call_times.end(), [](double t) { return t > 0.06; }), 0)
        << model;
  }
}

// The calls of the check and the first warm-up call take 5 ms, as if other programs had the processor.
TEST(Faults, SlowCallsBeforeTheWarmUpDecideNothing) {
  const Measurement m = measure({fault_case("serial.slow_until_warm", 16)}, quick_batches()).at(0);
  EXPECT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_GT(m.calls_per_sample, 1);
}

TEST(Faults, WarmUpOfACallOfTensOfMillisecondsIsASample) {
  Settings settings = quick();
  settings.max_samples = 3;
  settings.case_seconds = 0.1;
  // The case needs fewer than twenty calls: one check, three samples, and three audits with comparisons.
  const Measurement m = measure({fault_case("serial.works_twenty_times")}, settings).at(0);
  EXPECT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_EQ(m.call_times.size(), 3u);
  settings.warm_seconds = 1;  // warming up needs more than twenty calls
  EXPECT_EQ(measure({fault_case("serial.works_twenty_times")}, settings).at(0).status, Status::wrong);
}

TEST(Faults, VeryLongExecutionIsNotRepeated) {
  Settings settings = quick();
  settings.case_seconds = 0.01;  // 25 times this time is less than the 0.3 s of one execution
  const Measurement m = measure({fault_case("serial.slow")}, settings).at(0);
  EXPECT_EQ(m.status, Status::ok);
  EXPECT_EQ(m.call_times.size(), 1u);
}

TEST(Faults, InoutArraysAreRestoredBeforeTheCheck) {
  fault_case("serial.right");
  Case what;
  what.kernel = "fault_inout";
  what.variant = "serial.increments";
  what.problem = {1000, ElementType::float32, {1000, 1, 1}, {}};
  what.device = "cpu";
  for (const Measurement& m : measure({what, what})) EXPECT_EQ(m.status, Status::ok) << m.reason;
}

TEST(Faults, ColdCachesAreMeasured) {
  Case what = fault_case("serial.right");
  what.cache = CacheMode::cold;
  const Measurement m = measure({what}).at(0);
  EXPECT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_EQ(m.what.cache, CacheMode::cold);
  EXPECT_GE(m.call_times.size(), 3u);
}

TEST(Faults, InProcessGivesTheSame) {
  Settings settings = quick();
  settings.in_process = true;
  const std::vector<Measurement> all = measure(
      {fault_case("serial.right"), fault_case("serial.makes_nan"), fault_case("serial.right")}, settings);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
  EXPECT_EQ(all[1].status, Status::wrong);
  EXPECT_EQ(all[2].status, Status::ok) << all[2].reason;
}

TEST(Faults, StopEndsARunningCase) {
  Settings settings = quick();
  std::size_t measured = 0;
  bool looping = false;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement&) { ++measured; };
  callbacks.progress = [&](const Progress& p) {
    looping = p.running && p.running->variant == "serial.loops_for_ever";
  };
  callbacks.stop = [&] { return looping; };
  execute({fault_case("serial.right"), fault_case("serial.loops_for_ever"), fault_case("serial.right")},
          settings, worker, callbacks);
  EXPECT_EQ(measured, 1u);
}

TEST(Faults, WorkerEndsWithItsParent) {
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // orphaned processes become children of this process
  Settings settings = quick();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    // The second case runs in the same worker as the first, so the worker exists when this is called.
    Callbacks callbacks;
    callbacks.measured = [&](const Measurement&) {
      if (::write(ends[1], "x", 1) != 1) ::_exit(1);
    };
    execute({fault_case("serial.right"), fault_case("serial.loops_for_ever")}, settings, worker, callbacks);
    ::_exit(0);
  }
  char byte;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  ::kill(parent, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(parent, &status, 0), parent);
  ::close(ends[0]);
  ::close(ends[1]);
  pid_t orphan = 0;
  for (int tries = 0; tries < 6000 && orphan == 0; ++tries) {
    orphan = ::waitpid(-1, &status, WNOHANG);
    if (orphan == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_GT(orphan, 0) << "the worker outlives its parent, or was never there";
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(Faults, WorkerOutlivesTheThreadThatStartedIt) {
  const WorkerCommand kept{{test_worker()}, no_worker_yet()};
  std::thread([&] { EXPECT_FALSE(ask_environment(kept).empty()); }).join();
  std::this_thread::sleep_for(
      std::chrono::milliseconds(100));  // time for a signal at the thread's end to end the worker
  std::vector<Measurement> measured;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& measurement) { measured.push_back(measurement); };
  execute({fault_case("serial.right")}, quick(), kept, callbacks);
  ASSERT_EQ(measured.size(), 1u);
  EXPECT_EQ(measured[0].status, Status::ok) << measured[0].reason;
}

TEST(Faults, WorkerThatDoesNotStartIsAnErrorWithARemedy) {
  for (const char* program : {"/does/not/exist", "/bin/false"}) {
    try {
      execute({fault_case("serial.right")}, quick(), {{program}}, {});
      FAIL() << program;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find("--in-process"), std::string::npos) << error.what();
    }
  }
}

TEST(Faults, ProgressCountsAndKnowsTheRunningCase) {
  std::vector<std::size_t> done;
  std::size_t named = 0;
  Callbacks callbacks;
  callbacks.progress = [&](const Progress& progress) {
    done.push_back(progress.done);
    EXPECT_EQ(progress.total, 2u);
    named += progress.running ? 1 : 0;
  };
  execute({fault_case("serial.right"), fault_case("serial.aborts")}, quick(), worker, callbacks);
  EXPECT_EQ(done, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(named, 2u);
}

// Checks one offloaded variant of the registry. Without a GPU, its loops run on the host.
void expect_checked_on_the_host(Model model, MemorySpace memory_space) {
  Settings settings = quick();
  settings.offload_on_host = true;
  settings.check_only = true;
  const std::deque<RegisteredKernel>& all = registry();
  for (const RegisteredKernel& entry : all)
    for (const Variant& variant : entry.variants) {
      if (variant.model != model || variant.memory_space != memory_space || entry.folder.empty()) continue;
      Case what;
      what.kernel = entry.kernel.name;
      what.variant = variant.name;
      what.problem = {7936, ElementType::float32, entry.kernel.extents(7936),
                      entry.kernel.standard_parameters()};
      what.tuning = default_tuning(variant, what.problem);
      what.device = "gpu0";
      const Measurement m = measure({what}, settings).at(0);
      EXPECT_EQ(m.status, Status::ok) << m.reason;
      return;
    }
  GTEST_SKIP() << name_of(model) << " is not in this build";
}

TEST(Faults, OpenaccIsCheckedOnTheHostIfAsked) {
  expect_checked_on_the_host(Model::openacc, MemorySpace::openacc);
}
TEST(Faults, TargetRegionsAreCheckedOnTheHostIfAsked) {
  expect_checked_on_the_host(Model::target, MemorySpace::target);
}

TEST(Faults, EnvironmentIsAskedOfAWorker) {
  const Environment environment = ask_environment(worker);
  EXPECT_FALSE(environment.empty());
  EXPECT_TRUE(environment.count("env.OMP_PROC_BIND"));
}

// Both OpenMP runtimes of the worker process, GCC's and LLVM's, must use all processors.
TEST(Faults, OpenmpOfAWorkerHasAllProcessors) {
  for (const char* name :
       {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"})
    if (std::getenv(name)) GTEST_SKIP() << name << " is set";
  EXPECT_EQ(ask_environment(worker).at("openmp.threads"), std::to_string(processors_to_use()));
}

// The worker's command appends a line to a file at each start.
TEST(Faults, OneWorkerServesAllWhoAskByTheSameCommand) {
  const std::string starts = testing::TempDir() + "worker_starts." + std::to_string(::getpid());
  const WorkerCommand one{
      {"/bin/sh", "-c", "echo started >> '" + starts + "'; exec '" + std::string(test_worker()) + "'"},
      no_worker_yet()};
  const auto count = [&] {
    std::ifstream file(starts);
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  EXPECT_FALSE(ask_environment(one).empty());
  EXPECT_FALSE(ask_environment(one).empty());
  std::size_t measured = 0;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& m) { measured += m.status == Status::ok; };
  execute({fault_case("serial.right"), fault_case("serial.right", 3000)}, quick(), one, callbacks);
  EXPECT_EQ(measured, 2u);
  EXPECT_EQ(count(), 1);
  // A worker that died is replaced.
  execute({fault_case("serial.aborts"), fault_case("serial.right")}, quick(), one, callbacks);
  EXPECT_EQ(measured, 3u);
  EXPECT_EQ(count(), 3);
  std::filesystem::remove(starts);
}

TEST(Faults, SaysHowLongEachStageTook) {
  std::map<Stage, double> spent;
  Callbacks callbacks;
  callbacks.spent = [&](const Case& what, Stage stage, double seconds) {
    EXPECT_EQ(what.kernel, "fault");
    EXPECT_GE(seconds, 0);
    spent[stage] += seconds;
  };
  for (const bool in_process : {false, true}) {
    spent.clear();
    Settings settings = quick();
    settings.in_process = in_process;
    execute({fault_case("serial.slow")}, settings, worker, callbacks);
    EXPECT_GE(spent[Stage::checking], 0.3);  // it sleeps for 0.3 s
    EXPECT_TRUE(spent.contains(Stage::sampling) && spent.contains(Stage::computing_reference));
  }
}

// Returns the number of the process's threads that may run on all its processors.
int free_threads(pid_t process, int processors) {
  int count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    cpu_set_t set;
    if (::sched_getaffinity(std::stoi(task.path().filename()), sizeof set, &set) == 0)
      count += CPU_COUNT(&set) == processors;
  }
  return count;
}

// A parent with many worker processes can poll each of them without blocking.
TEST(Faults, AWorkersLineIsHeardWithoutWaiting) {
  WorkerProcess process(worker, false);
  std::string line;
  Received received = Received::nothing;
  for (int looks = 0; received == Received::nothing && looks < 4000; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    received = process.receive(&line, 0);
  }
  EXPECT_EQ(received, Received::line);
}

TEST(Faults, LibrariesGetTheProcessorsThatOpenMPHas) {
  const Environment environment = ask_environment(worker);
  if (environment.contains("fftw")) {
    EXPECT_EQ(environment.at("fftw.threads"), environment.at("openmp.threads"));
  }
  if (!environment.contains("openblas")) GTEST_SKIP() << "OpenBLAS is not in this build";
  const int threads = std::stoi(environment.at("openmp.threads"));
  EXPECT_EQ(environment.at("openblas.threads"), std::to_string(threads));
  WorkerProcess process(worker, false);
  std::string ready;
  ASSERT_EQ(process.receive(&ready, 20), Received::line);
  // All threads but the calling one, which is bound to a core, may run on all processors.
  EXPECT_GE(free_threads(process.pid(), std::stoi(environment.at("cpu.usable"))), threads - 1);
}

#else

// The same faults on a GPU. Each new worker must initialise the GPU, so one process runs many cases.
class GpuFaults : public testing::Test {
 protected:
  void SetUp() override {
    const Measurement probe = measure({fault_case("cuda.right")}).at(0);
    if (probe.status == Status::skipped) GTEST_SKIP() << probe.reason;
    ASSERT_EQ(probe.status, Status::ok) << probe.reason;
  }
};

TEST_F(GpuFaults, ASlowFirstCallDecidesNothing) {
  const Measurement m = measure({fault_case("cuda.slow_at_first")}).at(0);
  EXPECT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_GE(m.first_call, 0.2);
  EXPECT_GE(m.call_times.size(), 3u);
  EXPECT_EQ(std::count_if(m.call_times.begin(), m.call_times.end(), [](double t) { return t > 0.06; }), 0);
}

TEST_F(GpuFaults, RightCaseHasAllItsTimes) {
  const std::vector<Measurement> all =
      measure({fault_case("cuda.right"), fault_case("serial.right"), fault_case("cuda.right")});
  for (const std::size_t i : {0u, 2u}) {
    const Measurement& m = all.at(i);
    EXPECT_EQ(m.status, Status::ok) << m.reason;
    EXPECT_GE(m.call_times.size(), 3u);
    ASSERT_FALSE(m.device_times.empty());
    EXPECT_GT(m.device_times[0], 0);
    ASSERT_EQ(m.launches.size(), 1u);
    EXPECT_NE(m.launches[0].name.find("add_one"), std::string::npos) << m.launches[0].name;
    EXPECT_EQ(m.launches[0].block[0], 128);
    EXPECT_EQ(m.launches[0].grid[0], 8);
    EXPECT_GT(m.launches[0].registers, 0);
    EXPECT_GT(m.launches[0].occupancy, 0);
    ASSERT_EQ(m.transfers.size(), 4u);  // arrays a (in) and c (out), each pageable and pinned
    EXPECT_EQ(m.transfers[0].array, "a");
    EXPECT_TRUE(m.transfers[0].to_device);
    EXPECT_EQ(m.transfers[0].method, "pageable");
    EXPECT_EQ(m.transfers[0].bytes, 4000);
    EXPECT_EQ(m.transfers[1].method, "pinned");
    EXPECT_FALSE(m.transfers[2].to_device);
    for (const Transfer& transfer : m.transfers) EXPECT_FALSE(transfer.times.empty());
    EXPECT_FALSE(m.alloc_times.empty());
    EXPECT_FALSE(m.end_to_end_times.empty());
    EXPECT_GT(m.end_to_end_times[0], 0);
  }
  EXPECT_TRUE(all.at(1).transfers.empty());
}

TEST_F(GpuFaults, ColdCachesDoNotCountTheFlush) {
  Case what = fault_case("cuda.right");
  what.cache = CacheMode::cold;
  const Measurement m = measure({what}).at(0);
  EXPECT_EQ(m.status, Status::ok) << m.reason;
  ASSERT_FALSE(m.device_times.empty());
  ASSERT_EQ(m.launches.size(), 1u);
  // Both times come from CUPTI records. They must not include the cache flush, which takes many times longer
  // than the kernel.
  EXPECT_LE(*std::min_element(m.device_times.begin(), m.device_times.end()), 2 * m.launches[0].time);
}

TEST_F(GpuFaults, EachCostsOneCase) {
  const struct {
    const char* variant;
    Status status;
    const char* text;
  } expected[] = {{"cuda.illegal_address", Status::failed, "illegal memory access"},
                  {"cuda.too_many_threads", Status::failed, "launching: invalid"},
                  {"cuda.allocates_too_much", Status::failed, "out of memory"},
                  {"cuda.nothing", Status::wrong, "c[0]"},
                  {"cuda.misses_last_block", Status::wrong, "c[896]"},
                  {"cuda.writes_past", Status::wrong, "past the end of array c"},
                  {"cuda.writes_before", Status::wrong, "before the start of array c"},
                  {"cuda.changes_input", Status::wrong, "changed its input array a"},
                  {"cuda.races", Status::wrong, "c[0]"},
                  {"cuda.prepares_once", Status::wrong, "wrong from end to end: c[0]"}};
  std::vector<Case> cases = {fault_case("cuda.right")};
  for (const auto& fault : expected) {
    cases.push_back(fault_case(fault.variant));
    cases.push_back(fault_case("cuda.right"));
  }
  const std::vector<Measurement> all = measure(cases);
  ASSERT_EQ(all.size(), cases.size());
  for (std::size_t i = 0; i < all.size(); i += 2) EXPECT_EQ(all[i].status, Status::ok) << i << all[i].reason;
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const Measurement& m = all[2 * i + 1];
    EXPECT_EQ(m.status, expected[i].status) << expected[i].variant;
    EXPECT_SAYS(m, expected[i].text) << expected[i].variant;
    EXPECT_TRUE(m.call_times.empty());
  }
}

TEST_F(GpuFaults, EndlessKernelIsTimedOut) {
  Settings settings = quick();
  settings.timeout = 6;
  const Measurement m = between_right_ones("cuda.loops_for_ever", settings, "cuda.right");
  EXPECT_EQ(m.status, Status::timed_out);
  EXPECT_SAYS(m, "while checking");
}

TEST_F(GpuFaults, TooLargeForTheDeviceIsSkipped) {
  const Measurement m = measure({fault_case("cuda.right", std::int64_t{1} << 45)}).at(0);
  EXPECT_EQ(m.status, Status::skipped);
  EXPECT_SAYS(m, "The largest N that fits is ");
}

TEST_F(GpuFaults, MissingGpuIsSkipped) {
  Case what = fault_case("cuda.right");
  what.device = "gpu63";
  const Measurement m = measure({what}).at(0);
  EXPECT_EQ(m.status, Status::skipped);
  EXPECT_SAYS(m, "no GPU 63");
}

#endif

}  // namespace
}  // namespace sextant
