// Tests of cases that set their own number of OpenMP threads.
#include "machine/thread_count.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/error.hpp"
#include "cli/tune/spaces.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/form/settings.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

std::set<int> seen;  // thread counts in launches and preparations

void set_to_one(const Call& call) {
  seen.insert(openmp_threads());
  for (std::int64_t i = 0; i < call.problem.n; ++i) call.array<float>(0)[i] = 1;
}

const char* prepare(const Call&, void**) {
  seen.insert(openmp_threads());
  return nullptr;
}

void add_kernel() {
  static const bool once = [] {
    Kernel kernel;
    kernel.name = "threaded";
    kernel.arrays = {{"a", Role::out}};
    kernel.extents = [](std::int64_t n) { return Extents{n, 1, 1}; };
    kernel.work = [](const Problem& p) { return Work{.bytes_written = 4 * p.n, .items = p.n}; };
    kernel.reference.float32 = [](const Problem& p, const void* const*, double* const* results) {
      for (std::int64_t i = 0; i < p.n; ++i) results[0][i] = 1;
    };
    kernel.tolerance = [](const Problem&) { return Tolerance{}; };
    kernel.tolerance_reason = "ones are exact";
    Variant plain;
    plain.name = "openmp.plain";
    plain.model = Model::openmp;
    plain.launch.float32 = set_to_one;
    plain.prepare = prepare;
    plain.tunables = {{"tile", {1, 2}, 1}};
    Variant own = plain;
    own.name = "openmp.own";
    own.tunables = {{"threads", {1, 2}, 1}};
    Variant serial = plain;
    serial.name = "serial.baseline";
    serial.model = Model::serial;
    add_to_registry({kernel, {serial, plain, own}});
    return true;
  }();
  (void)once;
}

class ThreadCount : public testing::Test {
 protected:
  ThreadCount() : threads_(3) {
    add_kernel();
    seen.clear();
  }
  Measurement measure(const char* variant, const Tuning& tuning) {
    Case what;
    what.kernel = "threaded";
    what.variant = variant;
    what.problem = {100, ElementType::float32, {100, 1, 1}, {}};
    what.tuning = tuning;
    what.device = "cpu";
    Settings settings;
    settings.seed = 1;
    settings.max_samples = 3;
    settings.min_samples = 3;
    return runner_.run(what, settings);
  }
  GivenThreads threads_;  // a fixed number of threads on any machine
  CaseRunner runner_{[](Stage) {}};
};

TEST_F(ThreadCount, OfACaseIsWhatItsLaunchesAndPreparationGet) {
  EXPECT_EQ(measure("openmp.plain", {{"tile", 1}, {"threads", 2}}).status, Status::ok);
  EXPECT_EQ(seen, std::set<int>{2});
  seen.clear();
  EXPECT_EQ(measure("openmp.plain", {{"tile", 1}}).status, Status::ok);
  EXPECT_EQ(seen, std::set<int>{3});
}

TEST_F(ThreadCount, ThatOpenMPDoesNotHaveSkipsTheCase) {
  const Measurement m = measure("openmp.plain", {{"tile", 1}, {"threads", 4}});
  EXPECT_EQ(m.status, Status::skipped);
  EXPECT_NE(m.reason.find("4 threads are requested, but OpenMP has 3"), std::string::npos) << m.reason;
  EXPECT_TRUE(seen.empty());
}

TEST_F(ThreadCount, OfAllIsTheStandard) {
  EXPECT_EQ(measure("openmp.plain", {{"tile", 1}}).standard_tuning, true);
  EXPECT_EQ(measure("openmp.plain", {{"tile", 1}, {"threads", 3}}).standard_tuning, true);
  EXPECT_EQ(measure("openmp.plain", {{"tile", 1}, {"threads", 1}}).standard_tuning, false);
  EXPECT_EQ(measure("openmp.plain", {{"tile", 2}, {"threads", 3}}).standard_tuning, false);
}

TEST_F(ThreadCount, IsLeftToVariantsThatHaveItThemselvesAndToOtherModels) {
  EXPECT_EQ(measure("openmp.own", {{"threads", 2}}).status, Status::ok);
  measure("serial.baseline", {{"tile", 1}, {"threads", 2}});
  EXPECT_EQ(seen, std::set<int>{3});
}

std::vector<int> threads_in(const tuner::LiveSpace& live) {
  std::set<int> values;
  for (std::size_t i = 0; i < live.space.size(); ++i)
    values.insert(tuner::tuning_of(live.space, i).back().second);
  return {values.begin(), values.end()};
}

TEST_F(ThreadCount, IsATunableOfASearch) {
  Selection selection;
  selection.kernels = {"threaded"};
  selection.variants = {"openmp.plain", "serial"};
  selection.sizes = {100};
  std::vector<std::string> notes;
  const Resolved resolved = resolve(selection);
  std::vector<Case> spaces = spaces_to_tune(resolved, selection, 12, &notes);
  ASSERT_EQ(spaces.size(), 2u);
  EXPECT_EQ(spaces[0].tuning, (Tuning{{"tile", 1}}));
  EXPECT_EQ(points_of(spaces[0], selection).space.size(), 2u);
  EXPECT_EQ(spaces[1].tuning, (Tuning{{"tile", 1}, {"threads", 12}}));
  EXPECT_EQ(points_of(spaces[1], selection).space.size(), 12u);
  EXPECT_EQ(threads_in(points_of(spaces[1], selection)), (std::vector<int>{1, 2, 4, 6, 8, 12}));
  selection.tunings = {{"threads", {16, 5, 3}}};
  EXPECT_EQ(threads_in(points_of(spaces[1], selection)), (std::vector<int>{3, 5}));
  selection.tunings = {{"threads", {16}}};
  EXPECT_THROW(points_of(spaces[1], selection), UserError);
  selection.tunings = {};
  spaces = spaces_to_tune(resolved, selection, 1, &notes);  // nothing to choose
  EXPECT_EQ(spaces[1].tuning, (Tuning{{"tile", 1}}));
}

TEST(Spaces, WithoutABudgetAUserIsToldThatTheyAreMany) {
  EXPECT_EQ(note_on_many(4, {}), "");
  EXPECT_NE(note_on_many(1010, {}).find("1010 variants and sizes"), std::string::npos);
  TuneBudget budget;
  budget.seconds = 60;
  EXPECT_EQ(note_on_many(1010, budget), "");
}

TEST(ThreadCounts, ArePowersOfTwoHalfAndAll) {
  EXPECT_EQ(thread_counts(1), (std::vector<int>{1}));
  EXPECT_EQ(thread_counts(2), (std::vector<int>{1, 2}));
  EXPECT_EQ(thread_counts(192), (std::vector<int>{1, 2, 4, 8, 16, 32, 64, 96, 128, 192}));
}

}  // namespace
}  // namespace sextant
