// Tests of the table of programs, and of the report in the format of the NAS Parallel Benchmarks (NPB).
#include "analysis/study/programs.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.hpp"
#include "described.hpp"
#include "golden.hpp"
#include "present/views.hpp"
#include "report/report.hpp"
#include "run/suite_table.hpp"

namespace sextant {
namespace {

using test::make_case;
using test::make_measurement;
using test::make_session;
using test::Outcome;
using test::run_sextant;
using test::samples_around;
using test::TemporaryFolder;

Measurement of_class(const std::string& kernel, const std::string& variant, const std::string& name,
                     double time) {
  Measurement m = make_measurement(make_case(kernel, variant, 1 << 24, ElementType::float64), time);
  m.what.problem_class = name;
  m.what.problem.extents = {64, 32, 16};
  m.what.problem.parameters = {6, 0, 0, 0};
  m.work = {.bytes_read = 0, .bytes_written = 120, .flops = 500'000'000, .items = 1 << 25};
  return m;
}

Measurement gone_wrong(Measurement m, Status status, const std::string& reason) {
  m.status = status;
  m.reason = reason;
  m.call_times.clear();
  return m;
}

// NPB EP in class S in four models (one wrong, one skipped), NPB FT in class S, and a plain kernel.
Results programs() {
  Results results;
  Session session = make_session();
  session.id = 1;
  results.sessions = {session};
  const auto add = [&](Measurement m) { results.measurements.push_back({std::move(m), 1}); };
  add(of_class("npb_ep", "serial.baseline", "S", 0.4));
  add(of_class("npb_ep", "serial.native", "S", 0.05));
  add(of_class("npb_ep", "openmp.simd", "S", 0.02));
  add(gone_wrong(of_class("npb_ep", "openacc.batches", "S", 1), Status::skipped, "there is no GPU"));
  add(gone_wrong(of_class("npb_ep", "openacc.streams", "S", 1), Status::wrong, "sums[0] is 1, not 2"));
  Measurement streams = of_class("npb_ep", "cuda.streams", "S", 0.001);
  streams.prepare_times = {0.3, 5e-3, 5e-3};
  streams.first_call = 2e-3;
  add(std::move(streams));
  add(gone_wrong(of_class("npb_ep", "cuda.batches", "S", 1), Status::wrong, "sums[1] is 3, not 4"));
  add(of_class("npb_ft", "serial.baseline", "S", 0.5));
  add(make_measurement(make_case("triad", "serial.baseline", 7936), 1e-5));
  return results;
}

TEST(Programs, RepetitionsHaveMeanAndSampleDeviation) {
  EXPECT_EQ(repetitions_of({}).count, 0u);
  EXPECT_EQ(repetitions_of({3}).mean, 3);
  EXPECT_EQ(repetitions_of({3}).deviation, 0);
  const Repetitions some = repetitions_of({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(some.count, 8u);
  EXPECT_DOUBLE_EQ(some.mean, 5);
  EXPECT_DOUBLE_EQ(some.deviation, std::sqrt(32.0 / 7));
}

// The rate of EP counts 2^25 random numbers. The rate of FT counts 500 million operations.
TEST(Programs, TheReportsSectionBeginsWithTheFastestOfEach) {
  std::vector<ReportFile> files;
  files.push_back({"r.sextant", test::described(programs())});
  const std::string page = make_report(std::move(files), {});
  EXPECT_NE(
      page.find(
          "<p>The fastest at the last problem: npb_ep S (double): cuda.streams in 1.00 ms, 33554 Mop/s; "
          "npb_ft S (double): serial.baseline in 500 ms, 1000 Mop/s. Of 6 results"),
      std::string::npos)
      << page.substr(page.find("id=\"programs\""), 500);
}

TEST(Programs, EachModelHasItsBestOrWhatCameOfIt) {
  const Results all = test::described(programs());
  const std::vector<Summary> summaries = summarise(all);
  const std::vector<StudyRow> rows = study_rows(summaries);
  const std::vector<ProgramResult> results = program_results(rows);
  std::string text;
  for (const ProgramResult& result : results)
    text += result.row->kernel + " " + result.column + " " + result.summary->measurement->what.variant + " " +
            (result.verified() ? "verified" : name_of(result.summary->measurement->status)) + " " +
            std::to_string(result.wrong) + "\n";
  EXPECT_EQ(text,
            "npb_ep serial serial.baseline verified 0\n"
            "npb_ep serial serial.native verified 0\n"
            "npb_ep openmp openmp.simd verified 0\n"
            "npb_ep openacc openacc.streams wrong 1\n"
            "npb_ep cuda cuda.streams verified 1\n"
            "npb_ft serial serial.baseline verified 0\n");
}

TEST(Programs, RatesCountWhatEachProgramCounts) {
  const auto rate = [](const std::string& kernel, double seconds = 0.5) {
    Results results;
    results.sessions = {make_session()};
    results.measurements = {{of_class(kernel, "serial.baseline", "S", 0.5), results.sessions[0].id}};
    results = test::described(std::move(results));
    return program_rate(summarise(results).at(0), seconds);
  };
  EXPECT_DOUBLE_EQ(rate("npb_ep")->value, (1 << 25) / 0.5);  // items are random numbers
  EXPECT_EQ(rate("npb_ep")->unit, "Mop/s");
  EXPECT_DOUBLE_EQ(rate("npb_ft")->value, 5e8 / 0.5);  // counts floating-point operations
  EXPECT_EQ(rate("npb_ft")->unit, "Mop/s");
  EXPECT_DOUBLE_EQ(rate("lbm_d3q15")->value, (1 << 25) / 0.5);  // items are lattice updates
  EXPECT_EQ(rate("lbm_d3q15")->unit, "MLUPS");
  EXPECT_DOUBLE_EQ(rate("from_elsewhere")->value, (1 << 25) / 0.5);  // the description has no unit
  EXPECT_EQ(rate("from_elsewhere")->unit, "million items/s");
  EXPECT_DOUBLE_EQ(rate("npb_ep", 0.25)->value, (1 << 25) / 0.25);  // for a time that the caller gives
}

class ShowPrograms : public testing::Test {
 protected:
  ShowPrograms() {
    ResultsFile file(path(), ResultsFile::Mode::write);
    merge(programs(), file);
  }
  std::string path() const { return folder_ / "r"; }
  Outcome show(const std::string& arguments) const { return run_sextant("show " + path() + " " + arguments); }

 private:
  TemporaryFolder folder_;
};

TEST_F(ShowPrograms, StudyHasATableOfEachProgram) {
  const Outcome outcome = show("--by study");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  // Plain kernels have their own table after the table of programs.
  test::expect_golden(outcome.out, "analysis/programs_study");
  EXPECT_EQ(show("--by programs").out.find("triad"), std::string::npos);
}

// A run of a suite of programs ends with this table.
TEST_F(ShowPrograms, SuiteHasAllProgramsInOneTable) {
  const Outcome outcome = show("--by suite");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  test::expect_golden(outcome.out, "analysis/programs_suite");
  EXPECT_EQ(show("--by suite -k triad").out.find("triad"), std::string::npos);
}

// NPB IS has one extent, which is printed as one number.
TEST(Programs, NpbsLayoutOfIs) {
  Measurement m = make_measurement(make_case("npb_is", "serial.baseline", 1 << 16, ElementType::int32), 0.5);
  m.what.problem_class = "S";
  m.what.problem.extents = {1 << 16, 1, 1};
  m.what.problem.parameters = {11, 10, 0, 0};
  m.work = {.bytes_written = 120, .items = 10 << 16};
  Results results;
  results.sessions = {make_session()};
  results.measurements = {{m, results.sessions[0].id}};
  results = test::described(std::move(results));
  const std::vector<Summary> summaries = summarise(results);
  test::expect_golden(npb_reports(study_rows(summaries)), "analysis/npb_is");
}

TEST(Programs, ASuitesRunEndsWithTheTableOfWhatWasAsked) {
  Selection selection;
  EXPECT_FALSE(is_suite_of_programs(selection));
  selection.suites = {"npb"};
  EXPECT_TRUE(is_suite_of_programs(selection));
  selection.suites = {"npb", "patterns"};
  EXPECT_FALSE(is_suite_of_programs(selection));

  const Results results = test::described(programs());
  const std::vector<Case> asked = {of_class("npb_ft", "openmp.panels", "S", 1).what};
  const std::string text = suite_table(results, asked, "alpha", false, 120);
  EXPECT_EQ(text.substr(text.find("\nnpb")),
            "\nnpb_ft   S        serial  baseline       500  1000 Mop/s  passed                1.00x         "
            " 1.00x\n");
  EXPECT_EQ(suite_table(results, asked, "beta", false, 120), "");  // measured on another machine
  EXPECT_EQ(suite_table(results, {of_class("npb_ft", "openmp.panels", "W", 1).what}, "alpha", false, 120),
            "");
}

TEST_F(ShowPrograms, JsonHasEveryFigure) {
  const nlohmann::json rows = nlohmann::json::parse(show("--by programs --json -k npb_ep").out);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[4].at("variant"), "cuda.streams");
  EXPECT_NEAR(rows[4].at("mean"), 1e-3, 1e-12);
  EXPECT_NEAR(rows[4].at("median"), 1e-3, 1e-12);
  EXPECT_NEAR(rows[4].at("prepare_time"), 5e-3, 1e-12);
  EXPECT_NEAR(rows[4].at("first_use"), 0.302, 1e-12);
  EXPECT_TRUE(rows[0].at("prepare_time").is_null());
  EXPECT_NEAR(rows[4].at("deviation"), 6.6e-6, 1e-7);
  EXPECT_NEAR(rows[4].at("speedup"), 400, 1e-9);
  EXPECT_NEAR(rows[4].at("speedup_cpu"), 20, 1e-9);
  EXPECT_TRUE(rows[4].at("of_floor").is_null());  // no ceiling was measured
  EXPECT_NEAR(rows[4].at("rate"), (1 << 25) / 1e-3, 1);
  EXPECT_EQ(rows[4].at("verified"), true);
  EXPECT_EQ(rows[3].at("verified"), false);
  EXPECT_EQ(rows[3].at("reason"), "sums[0] is 1, not 2");
  EXPECT_TRUE(rows[3].at("mean").is_null());
  const nlohmann::json study = nlohmann::json::parse(show("--by study --json").out);
  EXPECT_EQ(study.at("programs").size(), 6u);
  EXPECT_FALSE(study.at("speedup").empty());
  EXPECT_EQ(nlohmann::json::parse(show("--json").out).at("programs"), study.at("programs"));
}

TEST_F(ShowPrograms, NpbHasItsOwnLayout) {
  const Outcome outcome = show("--npb");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  test::expect_golden(outcome.out, "analysis/npb");
}

TEST_F(ShowPrograms, NpbRefusesWhatItCannotShow) {
  std::string said;
  for (const char* arguments : {"--npb --json", "--npb --by study", "--npb -k triad"}) {
    const Outcome outcome = show(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    said += outcome.err;
  }
  test::expect_golden(test::replaced(said, path(), "r"), "analysis/npb_refusals");
}

}  // namespace
}  // namespace sextant
