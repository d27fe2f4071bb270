// Tests that variants that skip work in timed calls are reported as wrong even if they pass the check.
#include "engine/case/audits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "device/device.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/form/warnings.hpp"
#include "faults/cheats.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

#ifdef SEXTANT_TEST_GPU
const char* const model = "cuda.";
#else
const char* const model = "serial.";
#endif

Measurement measured(const std::string& variant, std::int64_t n, bool is_search = false,
                     const char* kernel = "costly", double case_seconds = 0.02) {
  static const bool added = [] {
    std::vector<Variant> all;
    for (Variant one : serial_cheats()) one.name = "serial." + one.name, all.push_back(one);
    for (Variant one : cuda_cheats()) one.name = "cuda." + one.name, all.push_back(one);
    add_to_registry({costly_kernel(), all});
    Kernel slow = costly_kernel();  // its reference takes long to compute
    slow.name = "costly_reference";
    slow.reference.float32 = [](const Problem& p, const void* const* arrays, double* const* results) {
      std::this_thread::sleep_for(std::chrono::milliseconds(110));
      find_kernel("costly")->kernel.reference.float32(p, arrays, results);
    };
    add_to_registry({slow, all});
    Kernel fixed = costly_kernel();  // every seed gives the same data
    fixed.name = "costly_fixed";
    fixed.initialise.float32 = [](const Problem& p, int, std::uint64_t, void* data) {
      for (std::int64_t i = 0; i < p.extents.x; ++i)
        static_cast<float*>(data)[i] = 0.125f * static_cast<float>(i % 7);
    };
    add_to_registry({fixed, all});
    return true;
  }();
  (void)added;
  Case what;
  what.kernel = kernel;
  what.variant = model + variant;
  what.problem = {n, ElementType::float32, find_kernel(kernel)->kernel.extents(n), {}};
  what.device = std::string(model) == "cuda." ? "gpu0" : "cpu";
  Settings settings;
  settings.case_seconds = case_seconds;
  settings.seed = 7;
  settings.all_samples = case_seconds > 0.1;  // take all samples even on a busy machine
  if (settings.all_samples) settings.min_samples = 12;
  settings.transfers = false;
  settings.check_once = is_search;
  CaseRunner runner([](Stage) {});
  return runner.run(what, settings);
}

void expect_wrong(const std::string& variant, std::int64_t n, bool is_search = false) {
  const Measurement m = measured(variant, n, is_search);
  // On a very slow or busy machine, sampling may stop before the variant starts to skip work.
  const auto fastest = std::min_element(m.call_times.begin(), m.call_times.end());
  if (m.status == Status::ok && *fastest > long_call) return;
  EXPECT_EQ(m.status, Status::wrong) << variant << " " << n << (is_search ? " in a search" : "") << ": "
                                     << m.call_times.size() << " calls, "
                                     << median_interval(m.call_times).median << " s, on seen inputs "
                                     << m.seen_times.size() << ", " << median_interval(m.seen_times).median
                                     << " s";
  EXPECT_TRUE(m.call_times.empty() && m.seen_times.empty() && m.device_times.empty()) << variant;
}

// Calls take microseconds to milliseconds. Small arrays fit in all caches, large ones in none.
const std::vector<std::int64_t> sizes = {202, 20'002, 1 << 18};

#ifdef SEXTANT_TEST_GPU

  #define SKIP_WITHOUT_A_GPU() \
    std::string why_not;       \
    if (!open_device(MemorySpace::cuda, 0, &why_not)) GTEST_SKIP() << why_not

TEST(Audits, CheatsOnAGpuAreWrong) {
  SKIP_WITHOUT_A_GPU();
  for (const std::int64_t n : sizes)
    for (const char* cheat : {"already_there", "keeps_its_first", "on_its_own_stream"})
      for (const bool is_search : {false, true}) expect_wrong(cheat, n, is_search);
}

TEST(Audits, HonestCodeOnAGpuIsRight) {
  SKIP_WITHOUT_A_GPU();
  for (const std::int64_t n : sizes) {
    const Measurement m = measured("baseline", n);
    EXPECT_EQ(m.status, Status::ok) << m.reason;
    EXPECT_FALSE(m.device_times.empty());
  }
}

#else

TEST(Audits, CheatsAreWrong) {
  for (const std::int64_t n : sizes)
    for (const char* cheat : {"already_there", "computes_twice", "keeps_its_first", "writes_rubbish"})
      expect_wrong(cheat, n);
}

// Repeats the measurement, because timing can miss a cheat on a busy machine.
Measurement measured_until(const std::string& variant, std::int64_t n, bool (*found)(const Measurement&)) {
  constexpr int most = 30;
  Measurement m = measured(variant, n);
  for (int i = 1; i < most && !found(m); ++i) m = measured(variant, n);
  return m;
}

TEST(Audits, WorkThatGoesOnAfterTheCallIsWrong) {
  const auto is_wrong = [](const Measurement& m) { return m.status == Status::wrong; };
  EXPECT_EQ(measured_until("joins_later", 1 << 18, is_wrong).status, Status::wrong);
}

TEST(Audits, CheatsAreWrongInASearch) {
  for (const char* cheat : {"already_there", "computes_twice", "keeps_its_first", "writes_rubbish"})
    expect_wrong(cheat, 20'002, true);
}

TEST(Audits, CheatsInLongCallsAreWrong) {
  for (const char* cheat :
       {"already_there_slowly", "computes_twice_slowly", "keeps_its_first_slowly", "writes_rubbish_slowly"})
    expect_wrong(cheat, 202);
}

// The calls of the last audits are samples, too.
TEST(Audits, CheatsInCallsOfMillisecondsAreWrong) {
  for (const char* cheat :
       {"already_there", "computes_twice", "keeps_its_first", "writes_rubbish", "remembers"})
    expect_wrong(std::string(cheat) + "_in_10_ms", 202);
  const Measurement m = measured("honest_in_10_ms", 206, false, "costly", 0.5);
  EXPECT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_GE(m.call_times.size(), 12u) << "all samples are asked for";
}

// If the reference takes long, the later samples alternate between new and previously used inputs.
TEST(Audits, EverySampleOfALongCallIsAnAudit) {
  const auto take = [](const char* cheat) { return measured(cheat, 204, false, "costly_reference", 0.2); };
  const Measurement late = take("stops_late_slowly");
  EXPECT_EQ(late.status, Status::wrong);
  EXPECT_TRUE(late.reason.starts_with("right when first checked, wrong when called again: c[0]"))
      << late.reason;
  const Measurement early = take("keeps_its_first_slowly");
  EXPECT_TRUE(early.reason.starts_with("right when first checked, wrong on fresh inputs: c[0]"))
      << early.reason;
  EXPECT_EQ(take("remembers_slowly").status, Status::wrong);
  EXPECT_EQ(take("honest_slowly").status, Status::ok);
}

// The inputs cannot change, so the audit only overwrites the outputs. This finds a variant that skips its
// work, but not one that copies a stored answer.
TEST(Audits, ACaseWithFixedDataSaysSo) {
  const auto says_so = [](const Measurement& m) {
    return std::count(m.warnings.begin(), m.warnings.end(), text_of(Warning::fixed_data, ""));
  };
  const auto take = [](const char* cheat) { return measured(cheat, 20'004, false, "costly_fixed"); };
  EXPECT_EQ(says_so(take("baseline")), 1);
  EXPECT_EQ(says_so(measured("baseline", 20'002)), 0);
  EXPECT_EQ(take("already_there").status, Status::wrong);
  const Measurement kept = take("keeps_its_first");
  EXPECT_EQ(kept.status, Status::ok) << kept.reason;
  EXPECT_EQ(says_so(kept), 1);
}

// A variant that stores its answers is called on inputs that it has not seen, also in later cases. It must be
// reported as wrong, or with the time that the real work takes.
TEST(Audits, WhatKeepsAnswersIsWrongOrHasTheTimeOfItsWork) {
  for (const char* cheat : {"recognises", "remembers"})
    for (const std::int64_t n : sizes)
      for (int i = 0; i < 2; ++i) {
        const auto is_found = [](const Measurement& one) {
          return one.status == Status::wrong || !one.seen_times.empty();
        };
        const Measurement m = measured_until(cheat, n, is_found);
        EXPECT_TRUE(is_found(m)) << cheat << " " << n << ": " << median_interval(m.call_times).median << " s";
      }
}

TEST(Audits, HonestCodeIsRight) {
  for (const std::int64_t n : sizes)
    for (const char* honest : {"baseline", "branches"}) {
      const Measurement m = measured(honest, n);
      EXPECT_EQ(m.status, Status::ok) << honest << " " << n << ": " << m.reason;
      EXPECT_GE(m.call_times.size(), 2u);
    }
  EXPECT_EQ(measured("honest_slowly", 202).status, Status::ok);
}

// The case reports the time on fresh inputs; the time on seen inputs is stored in `seen_times`.
TEST(Audits, ACaseHasTheTimeOfFreshInputs) {
  const Measurement m =
      measured_until("learns", 202, [](const Measurement& one) { return !one.seen_times.empty(); });
  ASSERT_EQ(m.status, Status::ok) << m.reason;
  ASSERT_FALSE(m.seen_times.empty());
  EXPECT_EQ(m.calls_per_sample, 1);
  EXPECT_GT(median_interval(m.call_times).median, median_interval(m.seen_times).median);
}

// A case whose calls all take `seconds`. It counts what audits do.
class Counting : public AuditedCase {
 public:
  explicit Counting(double seconds, bool learns = false) : seconds_(seconds), learns_(learns) {}
  bool bring(const AuditInputs& inputs) override {
    poisoned.push_back(inputs.poisons);
    return true;
  }
  double timed_call() override {
    ++calls;
    return seconds_;
  }
  void take_outputs() override {}
  Audited compare(bool with_inputs) override {
    compared_inputs += with_inputs;
    return {};
  }
  Audited launched() override { return {}; }
  bool learns() const override { return learns_; }
  bool compares_soon() override { return true; }

  std::vector<bool> poisoned;
  int calls = 0, compared_inputs = 0;

 private:
  double seconds_;
  bool learns_;
};

// Calls of audits that are samples have their stage and are listed. Other calls, which compare times, do not.
TEST(Audits, CallsMayBeSamples) {
  constexpr double slow = 2.5e-3, usual = 1e-3;
  Counting one(slow);
  SteadyClock clock;
  Variant variant{"serial.baseline"};
  variant.model = Model::serial;
  Audits audits(one, {variant, {}, clock}, clock);
  std::vector<Stage> stages;
  audits.as_samples = [&](Stage stage) { stages.push_back(stage); };
  EXPECT_TRUE(audits.run(2, true, std::vector<double>(10, usual)).passed());
  EXPECT_EQ(one.calls, 4);
  EXPECT_EQ(audits.samples(), (std::vector<double>{slow, slow}));
  EXPECT_EQ(stages, (std::vector<Stage>{Stage::sampling, Stage::checking_again, Stage::sampling,
                                        Stage::checking_again}));
}

Counting audited(Counting one, int wanted, double sample, Model of = Model::serial) {
  SteadyClock clock;
  Variant variant{"serial.baseline"};
  variant.model = of;
  Audits audits(one, {variant, {}, clock}, clock);
  const std::vector<double> samples(10, sample);
  EXPECT_TRUE(audits.run(wanted, true, samples).passed());
  EXPECT_FALSE(audits.calls().may_be_slower(1));
  return one;
}

// A call on fresh inputs that is slower than the samples is compared with the second call on these inputs.
// Only a short call on the CPU is compared with a later one, because branch predictors may learn its inputs.
// On a GPU, a call that takes less than twice as long is not compared at all.
TEST(Audits, CompareSlowCallsWithTheSecondUnlessBranchPredictorsLearn) {
  constexpr double slow = 2.5e-3, usual = 1e-3;
  EXPECT_EQ(audited(Counting(slow), 2, usual).calls, 4);
  EXPECT_EQ(audited(Counting(1.9e-3), 2, usual).calls, 3);
  EXPECT_EQ(audited(Counting(slow, true), 2, usual).calls, 4);
  constexpr int learning = 8;
  EXPECT_EQ(audited(Counting(20e-6, true), 2, 10e-6).calls, 2 * (learning + 1 + 1 + learning + 1));
}

// The inputs are compared in every second audit. After two audits, a third call is still examined for work
// that continues after it, and one call on fresh inputs that is not slower suffices.
TEST(Audits, CompareInputsInEverySecondAndLookAtThreeCalls) {
  const auto counted = [](int wanted, double seconds) {
    const Counting one = audited(Counting(seconds), wanted, seconds);
    EXPECT_EQ(one.poisoned[0], false);
    EXPECT_EQ(one.poisoned[1], true);
    return one;
  };
  EXPECT_EQ(counted(3, 1e-3).poisoned.size(), 3u);
  EXPECT_EQ(counted(3, 1e-3).calls, 3);
  EXPECT_EQ(counted(3, 1e-3).compared_inputs, 1);
  EXPECT_EQ(counted(2, 1e-3).poisoned.size(), 2u);
  EXPECT_EQ(counted(2, 1e-3).calls, 3);
  EXPECT_EQ(counted(2, 1e-3).compared_inputs, 1);
  EXPECT_EQ(counted(2, 100e-9).calls, 3);
  EXPECT_EQ(counted(2, 20e-3).calls, 2) << "two long calls suffice";
  EXPECT_EQ(audited(Counting(1e-3), 2, 1e-3, Model::library).calls, 2) << "its calls are not examined";
}

// Large arrays are filled with new inputs only for every second audit.
TEST(Audits, OfLargeArraysHaveTheTimedInputsEverySecondTime) {
  const auto fillings = [](std::int64_t elements) {
    CaseSubject subject;
    EXPECT_EQ(find_subject(test::make_case("triad", "serial.baseline", elements), &subject), "");
    CaseData data(subject, with_seed({}), [](Stage) {});
    std::vector<Filling> all;
    for (int i = 0; i < 4; ++i) {
      const AuditFilling one = data.next_filling("serial.baseline", false);
      EXPECT_EQ(one.is_new, one.number != timed_filling);
      all.push_back(one.number);
    }
    return all;
  };
  EXPECT_EQ(fillings(3000), (std::vector<Filling>{1, 2, 3, 4}));
  EXPECT_EQ(fillings(3 << 20), (std::vector<Filling>{1, timed_filling, 2, timed_filling}));
}

TEST(FreshCalls, AreSlowerWhereNearlyAllPairsAre) {
  FreshCalls calls;
  for (int i = 0; i < 8; ++i) calls.add(3e-6, 2e-6, 1e-6);
  calls.add(1.04e-6, 1e-6, 1e-6);
  EXPECT_TRUE(calls.may_be_slower());
  EXPECT_FALSE(calls.are_slower()) << "too few";
  calls.add(2e-6, 2e-6, 1e-6);
  EXPECT_TRUE(calls.are_slower());
  EXPECT_DOUBLE_EQ(calls.ratio(), 3);
  EXPECT_DOUBLE_EQ(calls.ratio_of_second(), 1.5);
  EXPECT_EQ(calls.times(2.0).size(), 10u);
  EXPECT_DOUBLE_EQ(calls.times(2.0).back(), 4.0);
  calls.add(1.04e-6, 1e-6, 1e-6);
  EXPECT_FALSE(calls.may_be_slower());
  EXPECT_FALSE(calls.are_slower());
}

TEST(FreshCalls, AreNotSlowerWithinWhatSamplesDiffer) {
  FreshCalls calls, noisy;
  for (int i = 0; i < 2; ++i) {
    calls.add(1.15e-6, 1e-6, 1e-6);
    noisy.add(1.15e-6, 1e-6, 1e-6, 1.2);
  }
  EXPECT_TRUE(calls.may_be_slower());
  EXPECT_FALSE(noisy.may_be_slower());
  noisy = {};
  for (int i = 0; i < 2; ++i) noisy.add(1.25e-6, 1e-6, 1e-6, 1.2);
  EXPECT_TRUE(noisy.may_be_slower());
}

TEST(FreshCalls, OfAFewNanosecondsAreNotSlower) {
  FreshCalls calls;
  for (int i = 0; i < 2; ++i) calls.add(60e-9, 45e-9, 45e-9);
  EXPECT_FALSE(calls.may_be_slower());
  FreshCalls longer;
  for (int i = 0; i < 2; ++i) longer.add(120e-9, 45e-9, 45e-9);
  EXPECT_TRUE(longer.may_be_slower());
}

#endif

}  // namespace
}  // namespace sextant
