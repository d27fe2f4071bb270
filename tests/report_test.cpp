// The page: its sections, what is missing, hostile names, several machines.
#include "report/report.hpp"

#include <gtest/gtest.h>

#include "command.hpp"
#include "described.hpp"
#include "report_results.hpp"

namespace sextant {
namespace {

constexpr const char* hostile = "</script><img src=x onerror=alert(1)>";

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string page_of(Results results) {
  std::vector<ReportFile> files;
  files.push_back({"r.sextant", test::described(std::move(results))});
  return make_report(std::move(files), {});
}

TEST(Report, HasEverySection) {
  Results results = test::study_results();
  results.measurements[1].measurement.phases = {{"setup", {0.25, 0.5}}};
  const std::string page = page_of(std::move(results));
  for (const char* id :
       {"verdict", "wins", "kernels", "time", "roofline", "tuning", "amdahl", "programs", "methods"})
    EXPECT_TRUE(holds(page, std::string("<section id=\"") + id + "\"")) << id;
  for (const char* kind : {"lines", "bars", "heatmap", "roofline", "amdahl"})
    EXPECT_TRUE(holds(page, std::string("{\"kind\":\"") + kind + "\"")) << kind;
  EXPECT_TRUE(holds(page, "published (RTX 3080)"));
}

TEST(Report, KeepsHostileNamesText) {
  test::StudyOptions options;
  options.kernels = {hostile};
  options.machine = hostile;
  Results results = test::study_results(options);
  results.measurements[0].measurement.status = Status::failed;
  results.measurements[0].measurement.reason = hostile;
  results.measurements[1].measurement.warnings = {hostile, "not UTF-8: \xff"};
  const std::string page = page_of(std::move(results));
  EXPECT_FALSE(holds(page, "<img"));
  EXPECT_TRUE(holds(page, "&lt;/script&gt;&lt;img src=x"));
  EXPECT_TRUE(holds(page, "\\u003c/script>"));
  EXPECT_FALSE(holds(page, "\xff"));
}

TEST(Report, SaysThatThereIsNothing) {
  EXPECT_TRUE(holds(page_of({}), "Nothing has been measured yet"));
  Results only_session;
  only_session.sessions = {test::make_session()};
  EXPECT_TRUE(holds(page_of(only_session), "Nothing has been measured yet"));
}

TEST(Report, GoesOnWithoutABaselineOrAGpu) {
  test::StudyOptions options;
  options.serial = false;
  EXPECT_TRUE(
      holds(page_of(test::study_results(options)), "serial.baseline was not measured correctly here"));
  options.serial = true;
  options.gpu = false;
  EXPECT_TRUE(holds(page_of(test::study_results(options)), "Nothing that runs on a device was measured"));
}

TEST(Report, WritesEveryCellThatSortingNeeds) {
  const std::string page = page_of(test::study_results());
  EXPECT_FALSE(holds(page, "</td><td class=\"n\"></td><td>cuda</td>"));  // a size that the row above has
  EXPECT_TRUE(
      holds(page, "<th scope=\"row\" class=\"again\">matmul float</th><td class=\"n again\">7936</td>"));
  EXPECT_TRUE(holds(page, "data-type=\"number\" class=\"n\">N</th>"));
  Results named = test::study_results();
  for (StoredMeasurement& stored : named.measurements) stored.measurement.what.problem_class = "S";
  EXPECT_TRUE(holds(page_of(std::move(named)), "data-type=\"text\" class=\"n\">N</th>"));
}

TEST(Report, LetsABrowserPassOverLongTables) {
  EXPECT_FALSE(holds(page_of(test::study_results({.kernels = {"copy"}})), "class=\"box high\""));
  EXPECT_TRUE(holds(page_of(test::study_results()), "class=\"box high\""));
}

TEST(Report, TellsMachinesOfOneNameApart) {
  std::vector<ReportFile> files;
  files.push_back({"one.sextant", test::study_results()});
  files.push_back({"two.sextant", test::study_results()});
  const std::string page = make_report(std::move(files), {});
  EXPECT_TRUE(holds(page, "alpha (one.sextant)"));
  EXPECT_TRUE(holds(page, "alpha (two.sextant)"));
  EXPECT_TRUE(holds(page, "id=\"wins-map-m2\""));
}

TEST(ReportCommand, WritesAPageAndRefusesWhatIsNoResultsFile) {
  const test::TemporaryFolder folder;
  ResultsFile(folder / "r.sextant", ResultsFile::Mode::write).add_missing(test::study_results());
  const test::Outcome made =
      test::run_sextant("report " + (folder / "r.sextant") + " -o " + (folder / "r.html"));
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(holds(test::content_of(folder / "r.html"), "<section id=\"methods\""));
  const test::Outcome refused =
      test::run_sextant("report " + (folder / "r.html") + " -o " + (folder / "x.html"));
  EXPECT_EQ(refused.code, 2) << refused.err;
  EXPECT_TRUE(holds(refused.err, "r.html")) << refused.err;
}

}  // namespace
}  // namespace sextant
