// Tests of Amdahl's and Gustafson's laws, and of the number of runs after which copies pay, against
// hand-computed values.
#include "analysis/study/amdahl.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "report_results.hpp"

namespace sextant {
namespace {

TEST(Amdahl, MatchesHandValues) {
  EXPECT_DOUBLE_EQ(amdahl(0.8, 4), 2.5);  // 1 / (0.2 + 0.2)
  EXPECT_DOUBLE_EQ(amdahl(0, 100), 1);
  EXPECT_DOUBLE_EQ(amdahl(1, 100), 100);
  EXPECT_NEAR(amdahl(0.8, std::numeric_limits<double>::infinity()), 5, 1e-12);
  EXPECT_EQ(amdahl(0.8, 0), 0);
  EXPECT_NEAR(gustafson(0.8, 4), 3.4, 1e-12);
}

TEST(Amdahl, CountsRunsUntilCopiesPay) {
  EXPECT_EQ(break_even(10, 1, 5), 1);     // 6 < 10
  EXPECT_EQ(break_even(10, 1, 9), 2);     // 10 is not less than 10, 11 < 20
  EXPECT_EQ(break_even(10, 1, 100), 12);  // 112 < 120, but 111 > 110
  EXPECT_EQ(break_even(10, 10, 0), std::nullopt);
  EXPECT_EQ(break_even(10, 0, 1), std::nullopt);
  EXPECT_DOUBLE_EQ(speedup_with_reuse(10, 1, 90, 10), 1);
}

TEST(Amdahl, TakesTheBestCpuWhereSerialIsMissing) {
  test::StudyOptions options;
  options.kernels = {"triad"};
  options.sizes = {9437184};
  for (const bool serial : {true, false}) {
    options.serial = serial;
    const Results results = test::study_results(options);
    const std::vector<Summary> summaries = summarise(results);
    const std::vector<StudyRow> rows = study_rows(summaries);
    const std::vector<AmdahlCase> cases = amdahl_cases(rows, AmdahlBaseline::serial);
    ASSERT_FALSE(cases.empty());
    for (const AmdahlCase& one : cases) {
      EXPECT_EQ(one.baseline, serial ? "serial.baseline" : "openmp.simd");
      ASSERT_TRUE(one.transfer_seconds);
      EXPECT_EQ(*one.transfer_seconds > 0, !one.summary->on_host) << one.column;
    }
  }
}

}  // namespace
}  // namespace sextant
