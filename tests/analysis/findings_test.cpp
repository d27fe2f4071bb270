// Tests of the sentences about a machine in the report.
#include "analysis/study/findings.hpp"

#include <gtest/gtest.h>

#include "described.hpp"
#include "golden.hpp"
#include "report_results.hpp"

namespace sextant {
namespace {

TEST(Findings, SayWhatIsMissing) {
  const auto missing = [](bool serial) {
    test::StudyOptions options;
    options.serial = serial;
    const Results results = test::described(test::study_results(options));
    const std::vector<Summary> summaries = summarise(results);
    return missing_baseline(study_rows(summaries));
  };
  EXPECT_EQ(missing(true), "");
  test::expect_golden(missing(false), "analysis/advice:no baseline");
}

TEST(Sizes, OfAllKindsStandInTheirOrderAndOnce) {
  Results plain;
  plain.sessions = {test::make_session()};
  const auto add = [&](const char* kernel, const char* name, std::int64_t n, Extents extents) {
    Measurement m = test::make_measurement(test::make_case(kernel, "serial.native", n), 1e-3);
    m.what.problem_class = name;
    m.what.problem.extents = extents;
    plain.measurements.push_back({std::move(m), plain.sessions[0].id});
  };
  add("npb_ft", "S", 0, {64, 64, 64});
  add("npb_ft", "", 130560, {32, 32, 32});
  add("npb_ft", "64x32x32", 65536, {64, 32, 32});
  add("npb_ft", "16x16x16", 4096, {16, 16, 16});
  add("npb_ep", "W", 1 << 25, {1 << 25, 1, 1});
  add("npb_ep", "S", 1 << 24, {1 << 24, 1, 1});
  const Results results = test::described(std::move(plain));
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  std::vector<const StudyRow*> all;
  std::vector<std::string> of_ft;
  for (const StudyRow& row : rows) {
    all.push_back(&row);
    if (row.kernel == "npb_ft") of_ft.push_back(row.size);
  }
  EXPECT_EQ(of_ft, (std::vector<std::string>{"16x16x16", "130560", "64x32x32", "S"}));
  EXPECT_EQ(sizes_of(all), (std::vector<std::string>{"130560", "16x16x16", "64x32x32", "S", "W"}));
}

TEST(Findings, HoldTheStudysClaimsAgainstTheResults) {
  const Results results = test::described(test::study_results());
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyFinding> claims = study_findings(study_rows(summaries));
  ASSERT_EQ(claims.size(), 5u);
  EXPECT_EQ(claims[0].answer, StudyFinding::Answer::refuted) << claims[0].evidence;    // a launch takes 13 us
  EXPECT_EQ(claims[3].answer, StudyFinding::Answer::confirmed) << claims[3].evidence;  // a copy takes 1 ms
  for (const StudyFinding& claim : study_findings({})) EXPECT_EQ(claim.answer, StudyFinding::Answer::unknown);
}

}  // namespace
}  // namespace sextant
