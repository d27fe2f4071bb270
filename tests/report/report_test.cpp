// Tests of the report page: its sections, missing data, names with special characters, and several machines.
#include "report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "command.hpp"
#include "described.hpp"
#include "golden.hpp"
#include "outline.hpp"
#include "present/advice_text.hpp"
#include "present/format.hpp"
#include "report/html.hpp"
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

std::string section_of(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find("<section id=\"" + id + "\"");
  return page.substr(begin, page.find("</section>", begin) - begin);
}

TEST(Report, HasEverySection) {
  Results results = test::study_results();
  results.measurements[1].measurement.phases = {{"setup", {0.25, 0.5}}};
  const std::string page = page_of(std::move(results));
  for (const char* id : {"answer", "map", "models", "kernels", "programs", "roofline", "time", "tuning",
                         "amdahl", "study", "methods"})
    EXPECT_TRUE(holds(page, std::string("<section id=\"") + id + "\"")) << id;
  for (const char* kind : {"lines", "dots", "bars", "heatmap", "roofline", "strips", "amdahl", "choice"})
    EXPECT_TRUE(holds(page, std::string("{\"kind\":\"") + kind + "\"")) << kind;
}

TEST(Report, SaysWhatAStudyFound) {
  test::expect_golden(test::outline(page_of(test::study_results({.kernels = {"triad"}}))),
                      "report/page:study");
}

// The results have two kernels in one group and one in another group. Means are computed only over the first
// group, in which both programming models have results.
TEST(Report, ComparesTheModelsByGroup) {
  Results results;
  results.sessions = {test::make_session()};
  results.sessions[0].id = 1;
  const auto add = [&](const char* kernel, const char* variant, double seconds) {
    results.measurements.push_back(
        {test::make_measurement(test::make_case(kernel, variant, 1 << 20, ElementType::float64), seconds),
         1});
  };
  add("copy", "cuda.vector", 1e-5), add("copy", "target.packed", 2e-5);
  add("triad", "cuda.vector", 1e-5), add("triad", "target.packed", 8e-5),
      add("triad", "target.parallel_for", 9e-5);
  add("scale", "target.packed", 1e-5);
  add("matvec", "cuda.rows", 1e-5);
  const std::string page = page_of(std::move(results));
  const std::string section = section_of(page, "models");
  EXPECT_TRUE(holds(section, "stream<td>0.25x (2)<td>1.00x (2)")) << section;  // sqrt(1/2 * 1/8)
  EXPECT_FALSE(holds(section, "matrix")) << section;                           // only CUDA has results there
  Results cpu;
  cpu.sessions = {test::make_session()};
  cpu.sessions[0].id = 1;
  cpu.measurements = {{test::make_measurement(test::make_case("copy", "openmp.simd", 1 << 20), 1e-3), 1},
                      {test::make_measurement(test::make_case("copy", "stdpar.copy", 1 << 20), 5e-4), 1}};
  EXPECT_TRUE(holds(page_of(std::move(cpu)), "2.00x (1)"));
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
  Results only_session;
  only_session.sessions = {test::make_session()};
  test::expect_golden(test::outline(page_of({})) + "== a session\n" + test::outline(page_of(only_session)),
                      "report/page:nothing");
}

TEST(Report, GoesOnWithoutABaselineOrAGpu) {
  test::StudyOptions options{.kernels = {"triad"}};
  options.serial = false;
  test::expect_golden(test::outline(page_of(test::study_results(options)), "kernels"),
                      "report/page:no baseline");
  options.serial = true;
  options.gpu = false;
  const std::string page = page_of(test::study_results(options));
  test::expect_golden(test::outline(page, "map") + test::outline(page, "time"), "report/page:no GPU");
}

TEST(Report, SaysNothingOfAGpuWhereNoneWasMeasured) {
  test::StudyOptions options;
  options.gpu = false;
  Results results = test::study_results(options);
  const std::string page = page_of(std::move(results));
  const std::string body = page.substr(0, page.find("<script"));
  for (const char* word : {"CUDA", "opies", "device time", "Device time", "threads per block", "launch",
                           "RTX", "thesis", "on the device"})
    EXPECT_FALSE(holds(body.substr(body.find("<main")), word))
        << word << ": " << body.substr(body.find(word, body.find("<main")) - 200, 300);
}

TEST(Report, HasAFigureOfThreads) {
  Results results;
  results.sessions = {test::make_session()};
  results.sessions[0].id = 1;
  const auto add = [&](const char* variant, double seconds, Tuning tuning) {
    results.measurements.push_back(
        {test::make_measurement(
             test::make_case("reduction", variant, 1 << 24, ElementType::float32, std::move(tuning)),
             seconds),
         1});
  };
  add("serial.baseline", 36e-3, {}), add("openmp.simd", 2e-3, {{"threads", 1}});
  EXPECT_FALSE(holds(page_of(results), "<section id=\"threads\""));
  add("openmp.simd", 1.1e-3, {{"threads", 2}});
  const std::string section = section_of(page_of(results), "threads");
  for (const char* part :
       {"reduction openmp.simd, float N = 16777216", "efficiency", "over one thread", "over the -O2 loop",
        "ideal: as many times as threads", "the code of one thread gains 18.0x"})
    EXPECT_TRUE(holds(section, part)) << part << "\n" << section;
}

TEST(Report, NamesCasesThatWereThrottledOrHadTwoClocks) {
  Results results = test::study_results({.kernels = {"triad"}});
  EXPECT_FALSE(holds(page_of(results), "<section id=\"state\""));
  int of_gpu = 0;
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (m.what.device == "cpu") continue;
    ++of_gpu;
    SampledState state{0, std::vector<SampleGroup>(12, {5, 1.98e9, false}), 500.0, 40.0, ""};
    if (of_gpu == 1) state.groups[3].throttled = true, state.throttle_reasons = "power cap";
    if (of_gpu == 2)
      for (std::size_t i = 0; i < 5; ++i) state.groups[i].clock = 1.5e9;
    m.states = {state};
    m.clock = clock_of(state);
  }
  ASSERT_GT(of_gpu, 3);
  const std::string section = section_of(page_of(results), "state");
  EXPECT_TRUE(
      holds(section, "Of " + std::to_string(of_gpu) +
                         " cases whose GPU was watched, 1 had samples at a lowered clock (power cap), "
                         "and 1 had two separate clocks or times"))
      << section;
  EXPECT_TRUE(holds(section, "58 % at 1980 MHz, 42 % at 1500 MHz")) << section;
  EXPECT_TRUE(holds(section, "--by state")) << section;
}

TEST(Report, LeavesOutOtherInputsThanUsual) {
  Results results = test::study_results({.kernels = {"triad"}});
  const std::string before = page_of(results);
  const std::string methods = section_of(before, "methods");
  EXPECT_FALSE(holds(methods, "other inputs")) << methods;
  StoredMeasurement zeros = results.measurements.front();
  zeros.measurement.what.fill = InputFill::zeros;
  results.measurements.push_back(zeros);
  std::string after = page_of(results);
  const std::string sentence = " The page leaves out 1 case with other inputs (sextant run --fill).";
  const std::size_t at = after.find(sentence);
  ASSERT_NE(at, std::string::npos);
  EXPECT_TRUE(after.erase(at, sentence.size()) == before) << "the sentence is all that differs";
}

TEST(Report, WritesEveryCellThatSortingNeeds) {
  const std::string page = page_of(test::study_results());
  EXPECT_FALSE(holds(
      page, "<td><td class=\"t\">cuda<"));  // a size that repeats the row above would give an empty cell
  EXPECT_TRUE(
      holds(page, "<th class=\"t again\">matmul float<td class=\"again\">9437184<td class=\"t\">openmp"));
  EXPECT_TRUE(holds(page, "data-type=\"number\" data-key=\"size\">N</th>"));
  Results named = test::study_results();
  for (StoredMeasurement& stored : named.measurements) stored.measurement.what.problem_class = "S";
  EXPECT_TRUE(holds(page_of(std::move(named)), "data-type=\"text\" data-key=\"size\">N</th>"));
}

TEST(Report, LetsABrowserPassOverLongTables) {
  EXPECT_FALSE(holds(page_of(test::study_results({.kernels = {"copy"}})), "class=\"box high\""));
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 1000; n < 50000; n += 1000) sizes.push_back(n);
  EXPECT_TRUE(
      holds(page_of(test::study_results({.kernels = {"copy"}, .sizes = sizes})), "class=\"box high\""));
}

Results of_build(const char* revision, const char* started, double slower = 1,
                 const char* processor = "A CPU") {
  Results results = test::study_results({.kernels = {"copy", "triad"}});
  results.sessions[0].environment["git_revision"] = revision;
  results.sessions[0].environment["cpu"] = processor;
  results.sessions[0].started = started;
  for (StoredMeasurement& stored : results.measurements) {
    for (double& time : stored.measurement.call_times) time *= slower;
    for (double& time : stored.measurement.device_times) time *= slower;
  }
  return results;
}

TEST(Report, GroupsTheMapByDwarfsWhereThereAreSeveral) {
  const std::string page =
      page_of(test::study_results({.kernels = {"copy", "sort_keys", "softmax", "spmv_banded", "transpose"}}));
  std::size_t last = page.find("wins-map");
  for (const char* label : {"\"— dense —\"", "\"softmax float\"", "\"transpose float\"", "\"— sparse —\"",
                            "\"spmv_banded float\"", "\"— MapReduce —\"", "\"sort_keys float\"",
                            "\"— others —\"", "\"copy float\""}) {
    const std::size_t at = page.find(label, last);
    EXPECT_NE(at, std::string::npos) << label << " after " << page.substr(last, 40);
    last = at == std::string::npos ? last : at;
  }
  EXPECT_FALSE(holds(page_of(test::study_results({})), "— dense —"));
}

TEST(Report, TellsOtherHardwareOfOneNameApart) {
  std::vector<ReportFile> files;
  files.push_back({"one.sextant", of_build("a", "2024-05-01T10:00:00Z")});
  files.push_back({"two.sextant", of_build("a", "2024-05-02T10:00:00Z", 2, "Another CPU")});
  const std::string page = make_report(std::move(files), {});
  EXPECT_TRUE(holds(page, "id=\"wins-map-m2\""));
  EXPECT_EQ(test::outline(page, "changes"), "");
  // All times are twice as long: the ratio is 0.5 for all 8 problems, and none is faster.
  test::expect_golden(test::outline(page, "machines"), "report/page:two machines");
}

TEST(Report, FilesOfOneMachineAreOneDataSet) {
  std::vector<ReportFile> files;
  Results first = of_build("a", "2024-05-01T10:00:00Z"), second = of_build("a", "2024-05-02T10:00:00Z");
  std::erase_if(first.measurements,
                [](const StoredMeasurement& s) { return s.measurement.what.kernel == "copy"; });
  std::erase_if(second.measurements,
                [](const StoredMeasurement& s) { return s.measurement.what.kernel == "triad"; });
  files.push_back({"one.sextant", std::move(first)});
  files.push_back({"two.sextant", std::move(second)});
  const std::string page = make_report(std::move(files), {});
  EXPECT_EQ(test::outline(page, "machines"), "");
  EXPECT_EQ(test::outline(page, "changes"), "");
  EXPECT_TRUE(holds(page, "id=\"copy-float\"") && holds(page, "id=\"triad-float\""));
}

TEST(Report, ComparesTheOldestAndTheNewestBuildOfAMachine) {
  std::vector<ReportFile> files;
  files.push_back({"new.sextant", of_build("b", "2024-05-02T10:00:00Z", 2)});
  files.push_back({"old.sextant", of_build("a", "2024-05-01T10:00:00Z")});
  test::expect_golden(test::outline(make_report(std::move(files), {}), "changes"), "report/page:two builds");
}

TEST(Report, ComparesEachBuildWithTheOneBeforeAllFilesOfABuildTogether) {
  std::vector<ReportFile> files;
  files.push_back({"c.sextant", of_build("c", "2024-05-03T10:00:00Z", 3)});
  Results copies = of_build("b", "2024-05-02T11:00:00Z", 2),
          others = of_build("b", "2024-05-02T10:00:00Z", 2);
  std::erase_if(others.measurements,
                [](const StoredMeasurement& s) { return s.measurement.what.kernel == "copy"; });
  std::erase_if(copies.measurements,
                [](const StoredMeasurement& s) { return s.measurement.what.kernel != "copy"; });
  files.push_back({"copies.sextant", std::move(copies)});
  files.push_back({"others.sextant", std::move(others)});
  files.push_back({"a.sextant", of_build("a", "2024-05-01T10:00:00Z")});
  test::expect_golden(test::outline(make_report(std::move(files), {}), "changes"),
                      "report/page:three builds");
}

Search search_of(const std::string& kernel, const std::vector<double>& times, double gain) {
  Search search;
  search.space = test::make_case(kernel, "cuda.tuned", 3000);
  search.strategy = "model";
  search.goal = "device";
  search.points = 40;
  for (std::size_t i = 0; i < times.size(); ++i) {
    SearchStep& step = search.steps.emplace_back();
    step.tuning = {{"block_size", 32 << i}};
    step.time = times[i];
    step.status = times[i] > 0 ? Status::ok : Status::failed;
  }
  search.standard = search.steps[0].tuning;
  search.gain = Interval{.low = gain * 0.97, .median = gain, .high = gain * 1.03, .samples = 11};
  search.ended = "the budget is spent";
  return search;
}

// Advice that always names serial code, and with certainty if it is one of several columns.
std::optional<Advised> names_serial(const AdviceQuestion& question) {
  const std::vector<std::string>& columns = question.columns;
  if (std::find(columns.begin(), columns.end(), "serial") == columns.end()) return std::nullopt;
  return Advised{"serial", 1e-3, true};
}

TEST(Report, ShowsWhereAdviceAndMeasurementDiffer) {
  test::StudyOptions small;
  small.kernels = {"triad"};
  small.sizes = {9437184};
  ReportOptions options;
  options.advise = names_serial;
  const std::string page = make_report({{"a.sextant", test::described(test::study_results(small))}}, options);
  test::expect_golden(test::outline(page, "advice"), "report/page:advice");
}

TEST(Report, HasNoAdviceWhereNobodyIsAsked) {
  const auto advice = [](const ReportOptions& options) {
    return test::outline(make_report({{"a.sextant", test::described(test::study_results())}}, options),
                         "advice");
  };
  EXPECT_EQ(advice({}), "");
  ReportOptions options;
  options.advise = [](const AdviceQuestion&) { return std::nullopt; };
  EXPECT_EQ(advice(options), "");
}

// The best times so far, the gains and the numbers of steps must equal these values.
TEST(Report, ShowsHowSearchesWent) {
  Results results = test::study_results({.kernels = {"triad"}});
  EXPECT_EQ(test::outline(page_of(results), "searches"), "");
  results.searches = {search_of("triad", {4e-3, 0, 5e-3, 2e-3, 3e-3}, 2),
                      search_of("copy", {1e-3, 2e-3}, 1.02)};
  const std::string page = page_of(results);
  test::expect_golden(test::outline(page, "searches"), "report/page:searches");
  EXPECT_TRUE(holds(page,
                    "\"name\":\"triad cuda.tuned float "
                    "3000\",\"points\":[[1,2,null,null],[4,1,null,null],[5,1,null,null]]"));
  EXPECT_TRUE(holds(page, "2.000x (1.940 to 2.060)"));
}

// For a results file from `tune`, the report starts with the found tunings instead of the models.
TEST(Report, AnswersWithTheTuningWhereSearchesAreAllThereIs) {
  Results results;
  results.sessions = {test::make_session()};
  results.searches = {search_of("triad", {4e-3, 3e-3}, 1.3),
                      search_of("triad", {4e-3, 0, 5e-3, 2e-3, 3e-3}, 2)};  // a repeated search
  test::expect_golden(test::outline(page_of(results)), "report/page:searches alone");
}

TEST(Report, HasSamplesOfEveryVariant) {
  const std::string page = page_of(test::study_results({.kernels = {"triad"}}));
  for (const char* variant :
       {"serial.baseline", "serial.native", "openmp.simd", "openacc.parallel_loop", "cuda.elementwise"})
    EXPECT_TRUE(holds(page, std::string("[\"") + variant + "\",")) << variant;
}

TEST(Report, PacksItsScriptAsTheStandardSays) {  // test vectors of RFC 4648, section 10
  EXPECT_EQ(report::base64(""), "");
  EXPECT_EQ(report::base64("f"), "Zg==");
  EXPECT_EQ(report::base64("fo"), "Zm8=");
  EXPECT_EQ(report::base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(report::base64(std::string_view("\xff\xfe\0", 3)), "//4A");
}

// The copies' share of the end-to-end time is computed from the samples.
TEST(Report, TheSectionOfCopiesBeginsWithTheirShare) {
  const Results results = test::study_results({.kernels = {"triad"}});
  std::vector<double> shares;
  const auto median = [](std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  };
  double fastest_cuda = 1, cuda_share = 0;
  for (const StoredMeasurement& stored : results.measurements) {
    const Measurement& m = stored.measurement;
    if (m.what.problem.n != 9437184 || m.what.device == "cpu") continue;
    double copies = 0;
    for (const Transfer& one : m.transfers)
      if (one.method != "pinned") copies += median(one.times);
    const double call = median(m.call_times), share = copies / (copies + call + median(m.alloc_times));
    if (m.what.variant == "openacc.parallel_loop") {
      shares.push_back(share);
    } else if (call < fastest_cuda) {
      fastest_cuda = call;
      cuda_share = share;
    }
  }
  shares.push_back(cuda_share);
  char text[200];
  std::snprintf(text, sizeof text, "of a pass&#39;s parts in the median of 2 (%.1f %% to %.1f %%).",
                100 * std::min(shares[0], shares[1]), 100 * std::max(shares[0], shares[1]));
  const std::string page = page_of(results);
  EXPECT_TRUE(holds(page, text)) << text << page.substr(page.find("id=\"time\""), 400);
}

TEST(Report, LeavesOutWhatIsConstant) {
  Results results = test::study_results({.kernels = {"triad"}});
  const std::string losses = test::outline(page_of(results), "tuning");
  for (StoredMeasurement& stored : results.measurements)
    if (stored.measurement.what.variant == "cuda.elementwise")
      stored.measurement.device_times = test::samples_around(1e-4);
  test::expect_golden(losses + "== constant\n" + test::outline(page_of(results), "tuning"),
                      "report/page:tuning");
}

// The loss by the default tuning and by the worst tuning is computed from the device times.
TEST(Report, TheSectionOfTuningBeginsWithWhatIsLost) {
  Results results = test::study_results({.kernels = {"copy", "triad"}});
  std::map<std::pair<std::string, std::int64_t>, std::vector<double>> times;
  std::map<std::pair<std::string, std::int64_t>, double> standard;
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (m.what.variant != "cuda.elementwise") continue;
    const double slower = m.what.kernel == "triad" && m.what.problem.n == 1310720 ? 1.5 : 1;
    m.standard_tuning = m.what.tuning[0].second == 64;
    if (m.standard_tuning.value())
      for (double& time : m.device_times) time *= slower;
    const double median = m.device_times[m.device_times.size() / 2];
    times[{m.what.kernel, m.what.problem.n}].push_back(median);
    if (m.standard_tuning.value()) standard[{m.what.kernel, m.what.problem.n}] = median;
  }
  double worst = 1, lost = 1;
  for (const auto& [where, list] : times) {
    const double best = *std::min_element(list.begin(), list.end());
    worst = std::max(worst, *std::max_element(list.begin(), list.end()) / best);
    lost = std::max(lost, standard[where] / best);
  }
  ASSERT_NEAR(lost, 1.5 * 1.2, 1e-9);
  const std::string page = page_of(results);
  EXPECT_TRUE(holds(page, "<p>Of 2 spaces of tunings 2 differ beyond noise, up to " + format_ratio(worst) +
                              " the best; a default loses at most " + format_percent(lost - 1) +
                              " (triad, float, cuda.elementwise).</p>"))
      << page.substr(page.find("id=\"tuning\""), 600);
}

TEST(Report, TheSectionOfTheStudyBeginsWithCountsOfItsTable) {
  const std::string page = page_of(test::described(test::study_results()));
  const std::string section = section_of(page, "study");
  const auto rows = [&](const std::string& answer) {
    std::size_t count = 0;
    for (std::size_t at = section.find(">" + answer); at != std::string::npos;
         at = section.find(">" + answer, at + 1))
      ++count;
    return count;
  };
  const std::size_t confirmed = rows("confirmed"), refuted = rows("refuted"), depends = rows("depends on N");
  EXPECT_GT(confirmed + refuted + depends, 4u);
  EXPECT_TRUE(holds(section, "measured here " + std::to_string(confirmed) +
                                 (confirmed == 1 ? " is" : " are") + " confirmed, " +
                                 std::to_string(refuted) + " refuted, " + std::to_string(depends) +
                                 (depends == 1 ? " depends" : " depend") + " on N."))
      << section.substr(0, 500);
}

TEST(Report, TheFirstScreenSaysWhatShowSays) {
  const Results results = test::described(test::study_results());
  const std::vector<Summary> summaries = summarise(results);
  const std::string page = page_of(results);
  for (const AdviceText& one : advice_text(study_rows(summaries)))
    EXPECT_TRUE(holds(page, "<dt>" + one.topic + "</dt><dd>" + report::escape(one.text) + "</dd>"))
        << one.text;
}

TEST(ReportCommand, WritesAPageAndRefusesWhatIsNoResultsFile) {
  const test::TemporaryFolder folder;
  ResultsFile(folder / "r.sextant", ResultsFile::Mode::write).add_missing(test::study_results());
  const test::Outcome made =
      test::run_sextant("report " + (folder / "r.sextant") + " -o " + (folder / "r.html"));
  EXPECT_EQ(made.code, 0) << made.err;
  const test::Outcome refused =
      test::run_sextant("report " + (folder / "r.html") + " -o " + (folder / "x.html"));
  EXPECT_EQ(refused.code, 2) << refused.err;
  test::expect_golden(test::replaced(made.err + refused.err, folder / "", ""), "report/page:command");
  EXPECT_NE(test::outline(test::content_of(folder / "r.html"), "methods"), "");
}

}  // namespace
}  // namespace sextant
