// Tests of the phases of `run --suite`: times at small sizes decide which variants run at large sizes.
#include "run/rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "golden.hpp"
#include "plan/plan.hpp"
#include "registry/registry.hpp"
#include "suite/presentation.hpp"

namespace sextant {
namespace {

Case case_of(const std::string& variant, std::int64_t n, ElementType type = ElementType::float32) {
  Case one;
  one.kernel = "no such kernel";
  one.variant = variant;
  one.problem.n = n;
  one.problem.type = type;
  one.device = variant.starts_with("cuda") ? "gpu0" : "cpu";
  return one;
}

Measurement took(const Case& what, double call, double device = 0) {
  Measurement measurement;
  measurement.what = what;
  measurement.status = Status::ok;
  measurement.call_times = {call};
  if (device > 0) measurement.device_times = {device};
  return measurement;
}

const std::vector<std::string> variants = {"serial.baseline", "serial.native", "openmp.simd", "openmp.plain",
                                           "cuda.fused",      "cuda.plain",    "cuda.naive",  "library.cub"};

std::vector<Case> at_sizes() {
  std::vector<Case> cases;
  for (const std::int64_t n : pattern_sizes)
    for (const std::string& variant : variants) cases.push_back(case_of(variant, n));
  return cases;
}

// Returns a variant's seconds per element. Compared with the fastest variant of its model, openmp.plain takes
// 5 times as long, cuda.plain 1.5 times and cuda.naive 3.5 times.
double speed_of(const std::string& variant) {
  return variant.starts_with("serial")    ? 1e-9
         : variant == "openmp.simd"       ? 1e-10
         : variant == "openmp.plain"      ? 5e-10
         : variant == "cuda.plain"        ? 1.5e-12
         : variant == "cuda.naive"        ? 3.5e-12
         : variant.starts_with("library") ? 2e-12
                                          : 1e-12;
}

void measure(const std::vector<Case>& round, double times, Rounds* rounds) {
  for (const Case& one : round)
    rounds->add(took(one, times * speed_of(one.variant) * static_cast<double>(one.problem.n)));
}

std::vector<std::string> variants_of(const std::vector<Case>& round) {
  std::vector<std::string> names;
  for (const Case& one : round)
    if (std::find(names.begin(), names.end(), one.variant) == names.end()) names.push_back(one.variant);
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Rounds, AnyOtherRunIsOneOfAllItsCases) {
  Rounds rounds;
  rounds.plan(at_sizes(), false);
  EXPECT_EQ(rounds.next().size(), at_sizes().size());
  EXPECT_TRUE(rounds.next().empty());
}

TEST(Rounds, LargerSizesHaveWhatWasNotSlowThenTheFastestAlone) {
  Rounds rounds;
  rounds.plan(at_sizes(), true);
  const std::vector<Case> first = rounds.next();
  EXPECT_EQ(first.size(), 2 * variants.size());
  EXPECT_EQ(rounds.later(), 3 * variants.size());
  EXPECT_TRUE(rounds.note().empty());
  measure(first, 1, &rounds);

  // At small sizes, the start of threads hides the differences between CPU variants, so all of them remain.
  const std::vector<Case> second = rounds.next();
  EXPECT_EQ(variants_of(second),
            (std::vector<std::string>{"cuda.fused", "cuda.plain", "library.cub", "openmp.plain",
                                      "openmp.simd", "serial.baseline", "serial.native"}));
  std::string notes = rounds.note() + "\n";
  measure(second, 1, &rounds);

  const std::vector<Case> third = rounds.next();
  EXPECT_EQ(variants_of(third),
            (std::vector<std::string>{"cuda.fused", "cuda.plain", "library.cub", "openmp.simd",
                                      "serial.baseline", "serial.native"}));
  test::expect_golden(notes + rounds.note(), "run/rounds:left out");
  measure(third, 0.5, &rounds);

  EXPECT_EQ(variants_of(rounds.next()),
            (std::vector<std::string>{"cuda.fused", "library.cub", "openmp.simd", "serial.baseline"}));
  EXPECT_TRUE(rounds.next().empty());
}

TEST(Rounds, OnlyTheBaselineIsCalledForLongAndNothingAtTheLargestSize) {
  Rounds rounds;
  rounds.plan(at_sizes(), true);
  measure(rounds.next(), 150, &rounds);
  measure(rounds.next(), 150, &rounds);
  const std::vector<Case> third = rounds.next();  // without serial.native, which would take 1.4 s
  EXPECT_EQ(variants_of(third), (std::vector<std::string>{"cuda.fused", "cuda.plain", "library.cub",
                                                          "openmp.simd", "serial.baseline"}));
  measure(third, 5, &rounds);  // 1.3 s at the largest size
  EXPECT_EQ(variants_of(rounds.next()),
            (std::vector<std::string>{"cuda.fused", "library.cub", "openmp.simd"}));
}

TEST(Rounds, DeviceTimesDecideWhereTheyAreKnown) {
  Rounds rounds;
  rounds.add(took(case_of("cuda.a", study_sizes[3]), 5e-3, 1e-3));
  rounds.add(took(case_of("cuda.b", study_sizes[3]), 4e-3, 2e-3));
  rounds.plan({case_of("cuda.a", pattern_sizes.back()), case_of("cuda.b", pattern_sizes.back())}, true);
  EXPECT_EQ(variants_of(rounds.next()), (std::vector<std::string>{"cuda.a"}));
}

// Of two similarly fast variants, either may be faster at the next size, so both are measured.
TEST(Rounds, WhatIsNearlyAsFastIsMeasuredAtTheLargestSize) {
  Rounds rounds;
  rounds.add(took(case_of("cuda.a", study_sizes[3]), 1e-3));
  rounds.add(took(case_of("cuda.b", study_sizes[3]), 1.09e-3));
  rounds.add(took(case_of("cuda.c", study_sizes[3]), 1.2e-3));
  const std::int64_t n = pattern_sizes.back();
  rounds.plan({case_of("cuda.a", n), case_of("cuda.b", n), case_of("cuda.c", n)}, true);
  EXPECT_EQ(variants_of(rounds.next()), (std::vector<std::string>{"cuda.a", "cuda.b"}));
}

TEST(Rounds, WhatTakesLongToPrepareLeavesItsPlaceToTheNext) {
  Rounds rounds;
  Measurement prepared = took(case_of("cuda.a", study_sizes[3]), 1e-3);
  prepared.prepare_times = {0.5, 0.1};  // 2.8 s at the largest size
  rounds.add(prepared);
  prepared = took(case_of("cuda.b", study_sizes[3]), 2e-3);
  prepared.prepare_times = {0.5, 0.05};
  rounds.add(prepared);
  rounds.add(took(case_of("cuda.c", study_sizes[3]), 3e-3));
  const std::int64_t n = pattern_sizes.back();
  rounds.plan({case_of("cuda.a", n), case_of("cuda.b", n), case_of("cuda.c", n)}, true);
  EXPECT_EQ(variants_of(rounds.next()), (std::vector<std::string>{"cuda.b"}));
}

// These variants are for arrays beyond all caches. At small sizes, they are far slower than the fastest.
TEST(Rounds, FormsForArraysThatNoCacheHoldsAreNotJudgedBySmallOnes) {
  RegisteredKernel entry;
  entry.kernel.name = "rounds_large";
  for (const char* form : {"cuda.slabs", "cuda.wide", "openmp.streaming"})
    entry.variants.push_back({.name = form, .for_large_arrays = true});
  entry.variants.push_back({.name = "cuda.naive"});
  add_to_registry(entry);
  const std::vector<std::string> forms = {"cuda.fused",   "cuda.naive",  "cuda.slabs",      "cuda.wide",
                                          "openmp.plain", "openmp.simd", "openmp.streaming"};
  const auto large_case = [](const std::string& form, std::int64_t n) {
    Case one = case_of(form, n);
    one.kernel = "rounds_large";
    return one;
  };
  Rounds rounds;
  for (const std::int64_t n : {study_sizes[1], study_sizes[2], study_sizes[3]})
    for (const std::string& form : forms)
      rounds.add(took(large_case(form, n), form == "cuda.fused" || form == "openmp.simd" ? 1e-5 : 1e-4));
  std::vector<Case> cases;
  for (const std::string& form : forms) cases.push_back(large_case(form, pattern_sizes.back()));
  rounds.plan(cases, true);
  EXPECT_EQ(variants_of(rounds.next()), (std::vector<std::string>{"cuda.fused", "cuda.slabs", "cuda.wide",
                                                                  "openmp.simd", "openmp.streaming"}));
  test::expect_golden(rounds.note(), "run/rounds:large");

  // They are still left out if they would take too long.
  rounds.add(took(large_case("cuda.slabs", study_sizes[3]), 0.1));
  rounds.plan(cases, true);
  EXPECT_EQ(variants_of(rounds.next()),
            (std::vector<std::string>{"cuda.fused", "cuda.wide", "openmp.simd", "openmp.streaming"}));
}

TEST(Rounds, ProblemsWithNamesAreMeasuredByAllForms) {
  Case named = case_of("cuda.b", pattern_sizes.back(), ElementType::float64);
  named.problem_class = "A";
  Rounds rounds;
  rounds.add(took(case_of("cuda.a", study_sizes[3], ElementType::float64), 1e-3));
  rounds.plan({named, case_of("cuda.b", pattern_sizes.back(), ElementType::float64)}, true);
  EXPECT_EQ(rounds.next().size(), 1u);
  EXPECT_TRUE(rounds.next().empty());
}

Case of_class(const std::string& variant, const std::string& problem_class) {
  Selection selection;
  selection.kernels = {"npb_bt"};
  selection.variants = {variant};
  selection.classes = {problem_class};
  const std::vector<Case> cases = plan(selection, nullptr);
  return cases.empty() ? Case{} : cases.front();
}

// Class B has 4.2 times the operations of class A. Class C has 4.1 times those of class B.
TEST(Rounds, ClassesGoFromSmallToLargeAndWhatWouldTakeTooLongIsNotBegun) {
  if (!find_kernel("npb_bt")) GTEST_SKIP() << "a build without the programs of NPB";
  const std::string slow = "serial.baseline", fast = "serial.native";
  Rounds rounds;
  rounds.plan({of_class(slow, "C"), of_class(fast, "C"), of_class(slow, "A"), of_class(fast, "A"),
               of_class(slow, "B"), of_class(fast, "B")},
              false, 45);
  const auto classes_of = [](const std::vector<Case>& round) {
    std::string text;
    for (const Case& one : round) text += one.problem_class + " " + one.variant + " ";
    return text;
  };
  std::vector<Case> round = rounds.next();
  EXPECT_EQ(classes_of(round), "A serial.baseline A serial.native ");
  EXPECT_EQ(rounds.later(), 4u);
  rounds.add(took(round[0], 20));
  rounds.add(took(round[1], 5));
  EXPECT_TRUE(rounds.not_begun().empty());

  round = rounds.next();
  EXPECT_EQ(classes_of(round), "B serial.native ");
  std::string said = rounds.note() + "\n";
  std::vector<Measurement> left_out = rounds.not_begun();
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_EQ(left_out[0].status, Status::timed_out);
  said += left_out[0].reason + "\n";
  rounds.add(took(round[0], 21));

  EXPECT_TRUE(rounds.next().empty());
  left_out = rounds.not_begun();
  ASSERT_EQ(left_out.size(), 2u);
  said += left_out[0].reason + "\n" + left_out[1].reason;
  test::expect_golden(said, "run/rounds:classes");
}

// The fastest tuning of a smaller class predicts the time. Named shapes and far smaller classes do not count.
TEST(Rounds, WhatIsNotBegunWouldTakeTooLongAtItsBest) {
  if (!find_kernel("npb_bt")) GTEST_SKIP() << "a build without the programs of NPB";
  const std::string form = "serial.native";
  const auto begun = [&](const std::vector<Measurement>& known, const std::string& problem_class) {
    Rounds rounds;
    for (const Measurement& one : known) rounds.add(one);
    rounds.plan({of_class(form, problem_class)}, false, 45);
    return !rounds.next().empty();
  };
  const Case small = of_class(form, "A");
  EXPECT_TRUE(begun({took(small, 5), took(small, 20)}, "B"));
  EXPECT_FALSE(begun({took(small, 15), took(small, 20)}, "B"));
  Case shape = small;
  shape.problem_class = "64x64x64 steps=7";
  EXPECT_TRUE(begun({took(shape, 20)}, "B"));
  EXPECT_TRUE(begun({took(of_class(form, "S"), 0.02)}, "C"));
  EXPECT_FALSE(begun({took(of_class(form, "S"), 0.1)}, "A"));
}

// In a continued run, a measured time counts, but no timeout, whose limit may have been shorter.
TEST(Rounds, OfARunThatIsContinuedWhatCameToItsEndTells) {
  if (!find_kernel("npb_bt")) GTEST_SKIP() << "a build without the programs of NPB";
  Measurement not_done = took(of_class("serial.native", "A"), 0);
  not_done.status = Status::timed_out;
  Rounds rounds;
  rounds.add(not_done);
  rounds.add(took(of_class("serial.baseline", "A"), 20));
  rounds.plan({of_class("serial.native", "B"), of_class("serial.baseline", "B")}, false, 45);
  EXPECT_EQ(variants_of(rounds.next()), std::vector<std::string>{"serial.native"});
  EXPECT_EQ(rounds.not_begun().size(), 1u);
}

TEST(Rounds, WhatIsNotKnownIsMeasured) {
  Rounds rounds;
  rounds.add(took(case_of("openmp.simd", study_sizes[2]), 1e-3));
  rounds.add(took(case_of("openmp.simd", study_sizes[2], ElementType::float64), 1e-3));
  rounds.plan({case_of("cuda.fused", study_sizes[3]), case_of("openmp.plain", study_sizes[3])}, true);
  EXPECT_EQ(variants_of(rounds.next()), (std::vector<std::string>{"cuda.fused"}));
}

TEST(Rounds, AContinuedRunWhoseRestIsLeftOutHasNoneLeft) {
  Rounds rounds;
  for (const std::string& variant : variants)
    rounds.add(took(case_of(variant, study_sizes[2]), speed_of(variant) * 1e6));
  rounds.plan({case_of("openmp.plain", study_sizes[3])}, true);
  EXPECT_TRUE(rounds.next().empty());
  EXPECT_EQ(rounds.later(), 0u);
}

TEST(Rounds, AWholeSuiteIsOneWithNothingElseAskedFor) {
  Selection selection;
  EXPECT_FALSE(is_whole_suite(selection));
  selection.suites = {"study"};
  EXPECT_FALSE(is_whole_suite(selection));
  selection.suites = {"patterns"};
  EXPECT_TRUE(is_whole_suite(selection));
  selection.kernels = {"transpose"};
  EXPECT_TRUE(is_whole_suite(selection));
  for (const auto& ask : std::vector<std::function<void(Selection&)>>{
           [](Selection& s) { s.variants = {"cuda"}; }, [](Selection& s) { s.sizes = {100}; },
           [](Selection& s) { s.classes = {"A"}; }, [](Selection& s) { s.all_tunings = true; },
           [](Selection& s) { s.small_problems = true; }}) {
    Selection more = selection;
    ask(more);
    EXPECT_FALSE(is_whole_suite(more));
  }
}

}  // namespace
}  // namespace sextant
