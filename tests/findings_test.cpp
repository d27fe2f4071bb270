// What the report says of a machine in words.
#include "analysis/study/findings.hpp"

#include <gtest/gtest.h>

#include "described.hpp"
#include "report_results.hpp"

namespace sextant {
namespace {

struct Said {
  std::size_t findings = 0;
  std::string text, missing;
};

Said said_of(const test::StudyOptions& options) {
  const Results results = test::described(test::study_results(options));
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  Said said;
  said.missing = missing_baseline(rows);
  for (const std::string& sentence : findings(rows)) {
    said.text += sentence + "\n";
    ++said.findings;
  }
  return said;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Findings, SayWhoWinsAndWhatTransfersCost) {
  const Said said = said_of({});
  const std::string& text = said.text;
  EXPECT_EQ(said.findings, 3u) << text;
  EXPECT_TRUE(holds(text, "of 28 problems the fastest is")) << text;
  EXPECT_TRUE(holds(text, "The largest speed-up over the best CPU version")) << text;
  EXPECT_TRUE(holds(text, "when allocation and copies are counted")) << text;
  EXPECT_EQ(said.missing, "");
  EXPECT_FALSE(holds(text, " 0 %")) << text;
}

TEST(Findings, SayWhatIsMissing) {
  EXPECT_EQ(findings({}), std::vector<std::string>{"Nothing has been measured yet."});
  test::StudyOptions options;
  options.serial = false;
  EXPECT_TRUE(holds(said_of(options).missing, "No problem has a correct measurement of serial.baseline"));
}

TEST(Findings, LeaveOutTimesThatCannotBe) {
  Results results = test::study_results();
  for (StoredMeasurement& stored : results.measurements)
    for (double& time : stored.measurement.call_times) time = 0;
  const std::vector<Summary> zero = summarise(results);
  EXPECT_TRUE(holds(findings(study_rows(zero)).front(), "Nothing was measured correctly"));
  test::StudyOptions options;
  options.gpu = false;
  options.serial = false;
  results = test::study_results(options);
  std::erase_if(results.measurements, [](const StoredMeasurement& stored) {
    return stored.measurement.what.variant != "serial.native";
  });
  const std::vector<Summary> one = summarise(results);
  EXPECT_TRUE(holds(findings(study_rows(one)).front(), "Each problem was measured in serial alone"));
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
  EXPECT_EQ(claims[0].answer, StudyFinding::Answer::confirmed) << claims[0].evidence;  // 1.1 everywhere
  EXPECT_EQ(claims[3].answer, StudyFinding::Answer::confirmed) << claims[3].evidence;  // 1 ms a copy
  for (const StudyFinding& claim : study_findings({})) EXPECT_EQ(claim.answer, StudyFinding::Answer::unknown);
}

}  // namespace
}  // namespace sextant
