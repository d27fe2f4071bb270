// Tests of results files with kernels that this build lacks. Such kernels are shown with the description in
// the file.
#include <gtest/gtest.h>

#include "analysis/study/groups.hpp"
#include "command.hpp"
#include "golden.hpp"
#include "outline.hpp"

namespace sextant {
namespace {

using test::make_case;
using test::make_measurement;
using test::make_session;
using test::run_sextant;
using test::TemporaryFolder;

// A kernel and a program that no current build has.
Results foreign() {
  Results results;
  Session session = make_session();
  session.id = 1;
  KernelDescription walk;
  walk.group = "trees";
  walk.formula = "sum of all leaves";
  walk.parameters = {"depth"};
  walk.excluded_from_ranking = {"openmp.shuffled"};
  walk.study = {default_study, 2};
  walk.published = {{"cuda", "96", {{7936, 1234.5}}}, {"openacc", "192"}};
  KernelDescription weather;
  weather.group = "program";
  weather.unit = {UnitOfWork::Count::flops, "cell updates"};
  weather.problems = {"small", "large"};
  weather.report = {"WEATHER", "forecasts", false, 1};
  session.kernels = {{"walk", walk}, {"weather", weather}};
  results.sessions = {session};
  const auto add = [&](const char* kernel, const char* variant, double time) -> Measurement& {
    results.measurements.push_back({make_measurement(make_case(kernel, variant, 7936), time), 1});
    Measurement& m = results.measurements.back().measurement;
    m.what.problem.parameters = {12, 34};
    return m;
  };
  for (const char* name : {"large", "small"}) {
    Measurement& m = add("weather", "serial.baseline", 0.5);
    m.what.problem_class = name;
    m.work.flops = 1'000'000'000;
  }
  add("triad", "serial.baseline", 1e-3);
  add("walk", "serial.baseline", 1e-3);
  add("walk", "openmp.plain", 1e-4);
  add("walk", "openmp.shuffled", 1e-6);
  add("walk", "cuda.grid", 1e-5);
  return results;
}

class Foreign : public testing::Test {
 protected:
  Foreign() {
    ResultsFile file(path(), ResultsFile::Mode::write);
    merge(foreign(), file);
  }
  std::string path() const { return folder_ / "r"; }
  std::string shown(const std::string& command, const std::string& options) const {
    const test::Outcome outcome = run_sextant(command + " " + path() + " " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }

 private:
  TemporaryFolder folder_;
};

// The kernel `walk` must appear at the position that the file gives it within the study.
TEST_F(Foreign, ShowsItsGroupItsBestAndItsPlace) {
  test::expect_golden(shown("show", "--by variants -k walk") + "\n" + shown("show", "--by study"),
                      "analysis/foreign:kernels");
}

TEST_F(Foreign, ShowsWhatItsProgramCounts) {
  test::expect_golden(shown("show", "--by programs") + shown("show", "--npb -n small"),
                      "analysis/foreign:programs");
}

TEST_F(Foreign, ExportsAndSelectsByItsParameters) {
  const std::string all = shown("export", "-k walk");
  EXPECT_TRUE(all.substr(0, all.find('\n')).ends_with(",parameter.depth"));
  EXPECT_TRUE(all.ends_with(",12\n")) << all;
  EXPECT_EQ(shown("export", "-p depth=12"), all);
}

// Only the kernel `walk` has published values. Its figures show four digits.
TEST_F(Foreign, ReportsItsFormulaAndWhatWasPublished) {
  const std::string page = shown("report", "-o -");
  test::expect_golden(test::outline(page, "kernels"), "analysis/foreign:report");
  for (const char* part : {"<code>sum of all leaves</code>", "published (RTX 3080)\",\"points\":[[7936,1234"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST_F(Foreign, NamedProblemsStandInTheOrderOfTheirKernel) {
  const Results results = foreign();
  const std::vector<Summary> summaries = summarise(results);
  const std::vector<StudyRow> rows = study_rows(summaries);
  std::vector<const StudyRow*> all;
  for (const StudyRow& row : rows) all.push_back(&row);
  EXPECT_EQ(sizes_of(all), (std::vector<std::string>{"7936", "small", "large"}));
}

// If two sessions describe a kernel, the tables use the later description.
TEST_F(Foreign, TheNewestDescriptionCounts) {
  Results results = foreign();
  Session later = results.sessions[0];
  later.id = 2;
  later.started = "2025-01-01T00:00:00Z";
  later.kernels["walk"].group = "woods";
  results.sessions.insert(results.sessions.begin(), later);
  StoredMeasurement again = results.measurements.back();
  again.session = 2;
  again.measurement.what.problem.n = 130560;
  results.measurements.insert(results.measurements.begin(), again);
  const std::vector<Summary> summaries = summarise(results);
  for (const StudyRow& row : study_rows(summaries)) {
    EXPECT_TRUE(row.kernel != "walk" || row.group == "woods") << row.size;
  }
}

}  // namespace
}  // namespace sextant
