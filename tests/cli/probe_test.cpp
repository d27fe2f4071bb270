// Tests of what `sextant advise` measures before it answers.
#include "cli/advise/probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "advice_model.hpp"

namespace sextant {
namespace {

constexpr const char* openmp = "openmp.parallel";

Case triad(const std::string& variant, std::int64_t n) {
  Case what;
  what.kernel = "triad", what.variant = variant, what.device = "cpu";
  what.problem.n = n;
  return what;
}

Measurement took(const Case& what, double seconds) {
  Measurement measurement;
  measurement.what = what;
  measurement.status = Status::ok;
  measurement.call_times = {seconds, seconds, seconds};
  return measurement;
}

Question question_at(std::int64_t n) {
  Question question;
  question.what = triad("", n);
  question.at_size = [](std::int64_t) { return std::optional<predict::Asked>(); };
  question.candidates[0] = {triad("serial.baseline", n), triad("serial.native", n)};
  question.candidates[1] = {triad(openmp, n)};
  return question;
}

TEST(Probe, TakesEighthsOfTheLargestSize) {
  EXPECT_EQ(probed_sizes({question_at(1 << 20), question_at(1 << 16)}),
            (std::vector<std::int64_t>{1 << 11, 1 << 14, 1 << 17, 1 << 20}));
  EXPECT_EQ(probed_sizes({question_at(800)}), (std::vector<std::int64_t>{100, 800}));
  Question fixed = question_at(1 << 20);
  fixed.at_size = nullptr;
  EXPECT_TRUE(probed_sizes({fixed}).empty());
}

TEST(Probe, BeginsWithSerialCodeOfTheSmallestSize) {
  const std::vector<Case> cases = cases_to_probe({question_at(800), question_at(100)}, {}, "");
  ASSERT_EQ(cases.size(), 6u);
  EXPECT_EQ(cases[0].variant, "serial.baseline");
  EXPECT_EQ(cases[2].variant, openmp);
  EXPECT_EQ(cases[2].problem.n, 100);
  EXPECT_EQ(cases[3].problem.n, 800);
}

TEST(Probe, LeavesOutWhatIsKnownOfThisMachine) {
  predict::DataSet known;
  known.machines = {{"m", predict::test::machine_with_gpu()}};
  const std::string here = predict::hardware_of(known.machines[0].profile);
  for (const std::int64_t n : {100, 6400}) {
    predict::DataRow row;
    row.what = triad("serial.baseline", n);
    row.option = predict::Option::serial;
    known.rows.push_back(row);
  }
  EXPECT_EQ(cases_to_probe({question_at(100), question_at(800)}, known, here).size(), 2u);  // OpenMP
  EXPECT_EQ(cases_to_probe({question_at(100), question_at(800)}, known, "another machine").size(), 6u);
  known.rows.pop_back();
  EXPECT_EQ(cases_to_probe({question_at(100), question_at(800)}, known, here).size(), 5u);
}

TEST(Probe, MeasuresOnlyWhatTheTimeSufficesFor) {
  ProbeBudget budget(1);
  EXPECT_EQ(budget.refuse(triad("serial.baseline", 1 << 20)), "");  // nothing is known yet
  budget.add(took(triad("serial.baseline", 1 << 14), 1e-3));
  EXPECT_EQ(budget.refuse(triad("serial.baseline", 1 << 17)), "");  // about 0.1 s
  EXPECT_NE(budget.refuse(triad("serial.baseline", 1 << 21)), "");  // about 1.5 s
  EXPECT_EQ(budget.refuse(triad(openmp, 1 << 14)), "");
  EXPECT_NE(budget.refuse(triad(openmp, 1 << 22)), "");  // the reference alone takes a second
  budget.spend(0.95);
  EXPECT_NE(budget.refuse(triad("serial.baseline", 1 << 17)), "");
}

TEST(Probe, OfAFaultCostsItsOwnVariantAlone) {
  ProbeBudget budget(1);
  Measurement failed = took(triad(openmp, 100), 1e-6);
  failed.status = Status::failed;
  budget.add(failed);
  EXPECT_NE(budget.refuse(triad(openmp, 800)), "");
  EXPECT_EQ(budget.refuse(triad("serial.baseline", 800)), "");
}

}  // namespace
}  // namespace sextant
