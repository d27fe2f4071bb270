// Tests of running serial cases on several cores at once: the assignment to cores, the order, and a
// calibration that detects whether cores slow down each other.
#include "engine/concurrent/core_slots.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "engine/form/case_executor.hpp"
#include "plan/plan.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

std::vector<Case> cases_of(const std::vector<std::string>& kernels, const std::vector<std::string>& variants,
                           const std::vector<std::int64_t>& sizes) {
  Selection selection;
  selection.kernels = kernels;
  selection.variants = variants;
  selection.sizes = sizes;
  selection.types = {ElementType::float32, ElementType::float64};
  return plan(selection, nullptr);
}

constexpr double core_cache = 1 << 21;

TEST(CoreSlots, AreForSerialCodeThatComputesForLongOnLittleData) {
  for (const Case& what :
       cases_of({"matmul", "matmul_naive"}, {"serial.baseline", "serial.native"}, {1310720, 9437184})) {
    EXPECT_TRUE(is_for_a_core(what, core_cache)) << what.kernel << what.problem.n;
    EXPECT_TRUE(computes_for_long(what));
    Case other = what;
    other.cache = CacheMode::cold;
    EXPECT_FALSE(is_for_a_core(other, core_cache)) << "whose caches are emptied";
    other = what;
    other.device = "cpu:2";
    EXPECT_FALSE(is_for_a_core(other, core_cache)) << "in parts";
    other = what;
    other.variant = "serial.no_such";
    EXPECT_FALSE(is_for_a_core(other, core_cache));
  }
  for (const Case& what : cases_of({"matmul"}, {"openmp.simd"}, {9437184}))
    EXPECT_FALSE(is_for_a_core(what, core_cache));
  for (const Case& what : cases_of({"matmul"}, {"serial.baseline"}, {7936, 130560}))
    EXPECT_FALSE(is_for_a_core(what, 0) || computes_for_long(what)) << "short";
  for (const Case& what : cases_of({"triad", "matvec"}, {"serial.baseline"}, {9437184, 1 << 28}))
    EXPECT_FALSE(is_for_a_core(what, core_cache)) << "bound by memory";
}

TEST(CoreSlots, AreForSerialCodeInACoresOwnCache) {
  const double element[] = {4, 8};
  for (const Case& what :
       cases_of({"triad", "stride64", "reduction"}, {"serial.native"}, {7936, 130560, 1310720}))
    EXPECT_EQ(is_for_a_core(what, core_cache),
              3. * static_cast<double>(what.problem.n) * element[what.problem.type == ElementType::float64] <
                  core_cache)
        << what.kernel << what.problem.n;
  for (const Case& what : cases_of({"triad"}, {"openmp.simd"}, {7936}))
    EXPECT_FALSE(is_for_a_core(what, core_cache));
}

TEST(CoreSlots, BeginWithTheLongestProblems) {
  const std::vector<Case> sorted = longest_problems_first(
      cases_of({"matmul", "matmul_naive"}, {"serial.baseline", "serial.native"}, {130560, 1310720}));
  ASSERT_EQ(sorted.size(), 16u);
  for (std::size_t i = 0; i < sorted.size(); i += 2) {
    EXPECT_EQ(sorted[i].problem.n, i < 8 ? 1310720 : 130560);
    EXPECT_EQ(sorted[i].variant, "serial.baseline");
    EXPECT_EQ(sorted[i + 1].variant, "serial.native");
    EXPECT_EQ(sorted[i].kernel, sorted[i + 1].kernel);
    EXPECT_EQ(sorted[i].problem.type, sorted[i + 1].problem.type);
  }
}

// An executor whose calls take longer by `each` for every other running executor, if it is the first one.
class Disturbed : public CaseExecutor {
 public:
  Disturbed(std::atomic<int>& busy, double each, bool first) : busy_(busy), each_(each), first_(first) {}
  std::optional<Measurement> run(const Case& what) override {
    using namespace std::chrono_literals;
    Measurement measurement;
    measurement.what = what;
    measurement.status = ++runs_ > fails_after ? Status::wrong : Status::ok;
    if (!first_) {
      ++busy_;
      std::this_thread::sleep_for(5ms);
      --busy_;
    }
    int seen = busy_;
    while (first_ && is_concurrent() && seen < (runs_ > runs_of_a_trial ? 2 : 3) && looks_ > 0) {
      --looks_;
      std::this_thread::sleep_for(1ms);
      seen = std::max(seen, busy_.load());
    }
    measurement.call_times = {1 + (seen < disturbed_from ? 0 : each_ * seen) +
                              (runs_ <= restless && runs_ % 3 == 0 ? 0.3 : 0)};
    return measurement;
  }
  int runs() const { return runs_; }
  int fails_after = 1000;
  int disturbed_from = 1;      // least number of running neighbours that slows down a call
  int runs_of_a_trial = 1000;  // after so many runs, two neighbours run instead of three
  int restless = 0;            // every third of the first `restless` runs takes longer

 private:
  // The calibration runs the first two calls concurrently with others. Then it repeats the pattern isolated,
  // concurrent, concurrent, isolated.
  bool is_concurrent() const {
    const int run = runs_ > runs_of_a_trial ? runs_ - runs_of_a_trial : runs_;
    return run <= 2 || (run % 4 != 3 && run % 4 != 2);
  }

  std::atomic<int>& busy_;
  double each_;
  bool first_;
  int runs_ = 0;
  int looks_ = 10000;  // remaining polls for running neighbours, over all calls
};

std::optional<Interval> tried(double each, Trial trial, int fails_after = 1000, bool stopped = false) {
  std::atomic<int> busy = 0;
  std::vector<std::unique_ptr<CaseExecutor>> executors;
  for (int i = 0; i < 4; ++i) {
    auto one = std::make_unique<Disturbed>(busy, each, i == 0);
    if (i == 0) one->fails_after = fails_after;
    executors.push_back(std::move(one));
  }
  return concurrent_over_isolated({}, executors, trial, [&] { return stopped; });
}

TEST(CoreSlots, ATrialSeesWhatNeighboursDo) {
  const std::optional<Interval> disturbed = tried(0.1, {10, 30, 1}), undisturbed = tried(0, {10, 30, 1});
  ASSERT_TRUE(disturbed && undisturbed);
  EXPECT_DOUBLE_EQ(disturbed->median, 1.3);
  EXPECT_DOUBLE_EQ(undisturbed->median, 1);
  EXPECT_TRUE(shows_disturbance(*disturbed, 0.01));
  EXPECT_FALSE(shows_disturbance(*undisturbed, 0.01));
}

// Calibrates four executors. A call slows down if at least `disturbed_from` neighbours run.
std::pair<std::vector<TrialFound>, std::size_t> tried_with_fewer(int disturbed_from, int fails_after = 1000) {
  std::atomic<int> busy = 0;
  std::vector<std::unique_ptr<CaseExecutor>> executors;
  for (int i = 0; i < 4; ++i) {
    auto one = std::make_unique<Disturbed>(busy, 0.1, i == 0);
    one->disturbed_from = disturbed_from;
    one->runs_of_a_trial = 2 + 4 * 10;
    if (i == 0) one->fails_after = fails_after;
    executors.push_back(std::move(one));
  }
  const std::vector<TrialFound> tried = try_concurrent({}, &executors, 3, {10, 30, 1}, 0.01, nullptr);
  return {tried, executors.size()};
}

TEST(CoreSlots, FewerAreTriedWhereAllDisturbEachOther) {
  const auto [none, all] = tried_with_fewer(4);
  ASSERT_EQ(none.size(), 1u);
  EXPECT_FALSE(none[0].disturbed);
  EXPECT_EQ(all, 4u);
  const auto [four, three] = tried_with_fewer(3);
  ASSERT_EQ(four.size(), 2u);
  EXPECT_EQ(four[0].executors, 4u);
  EXPECT_TRUE(four[0].disturbed);
  EXPECT_EQ(four[1].executors, 3u);
  EXPECT_FALSE(four[1].disturbed);
  EXPECT_EQ(three, 3u);
  const auto [both, left] = tried_with_fewer(1);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_TRUE(both[1].disturbed);
  EXPECT_EQ(left, 3u);
  EXPECT_TRUE(tried_with_fewer(1, 5).first.empty()) << "a trial that went wrong says nothing";
}

TEST(CoreSlots, ATrialThatWentWrongOrHadNoTimeSaysNothing) {
  EXPECT_FALSE(tried(0, {10, 30, 1}, 5));
  EXPECT_FALSE(tried(0, {10, 0, 1}));
  EXPECT_FALSE(tried(0, {10, 30, 1}, 1000, true));
}

TEST(CoreSlots, ATrialOnARestlessMachineGoesOnUntilItIsClear) {
  const auto tried_for = [](double width) {
    std::atomic<int> busy = 0;
    std::vector<std::unique_ptr<CaseExecutor>> executors;
    for (int i = 0; i < 4; ++i) {
      auto one = std::make_unique<Disturbed>(busy, 0, i == 0);
      one->restless = 42;
      executors.push_back(std::move(one));
    }
    const std::optional<Interval> ratio = concurrent_over_isolated({}, executors, {10, 30, width}, nullptr);
    return std::pair(ratio.value_or(Interval{}), static_cast<Disturbed&>(*executors[0]).runs());
  };
  const auto [at_once, few] = tried_for(1);
  EXPECT_EQ(few, 2 + 4 * 10);
  EXPECT_GT(at_once.high - at_once.low, 0.04);
  const auto [ratio, runs] = tried_for(0.02);
  EXPECT_GT(runs, few);
  EXPECT_LE(ratio.high - ratio.low, 0.04);
  EXPECT_DOUBLE_EQ(ratio.median, 1);
}

TEST(CoreSlots, WhatIsCertainOrLargeIsADisturbance) {
  EXPECT_FALSE(shows_disturbance({1.003, 1.004, 1.03}, 0.01));
  EXPECT_FALSE(shows_disturbance({0.97, 1.015, 1.1}, 0.01));
  EXPECT_TRUE(shows_disturbance({1.006, 1.02, 1.03}, 0.01));
  EXPECT_TRUE(shows_disturbance({0.97, 1.025, 1.1}, 0.01));
}

}  // namespace
}  // namespace sextant
