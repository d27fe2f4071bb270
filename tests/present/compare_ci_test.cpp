// Tests of `sextant compare` for continuous integration: JUnit XML, one line for a log, ceilings, and
// histories.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "analysis/compare/history.hpp"
#include "command.hpp"
#include "golden.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::make_case;
using test::make_measurement;
using test::make_session;
using test::Outcome;
using test::run_sextant;
using test::TemporaryFolder;

constexpr int cases = 8;  // cases per run: triad at 30000, 60000, …

// Stores a run of eight cases with a noise of about one percent. `change` is applied to each case first.
void store_run(const std::string& path, int number, const std::function<void(Measurement*)>& change = {},
               double memory = 10e9, const std::vector<Ceiling>& more = {}) {
  ResultsFile file(path, ResultsFile::Mode::write);
  Session session = make_session("alpha", "2024-05-01T10:00:" + std::to_string(10 + number) + "Z");
  session.environment["git_revision"] = "revision " + std::to_string(number);
  const std::int64_t id = file.begin_session(session);
  file.add_ceilings(id, {{"cpu", "triad", 1 << 20, 50e9},
                         {"cpu", "triad", 1 << 28, memory},
                         {"cpu", "fp64", 0, 100e9},
                         {"cpu", "launch_openmp", 0, 2e-6}});
  file.add_ceilings(id, more);
  for (int i = 1; i <= cases; ++i) {
    const double noise = 0.01 * std::sin(number * 12.9898 + 78.233 * i);
    Measurement m =
        make_measurement(make_case("triad", "serial.baseline", 30000 * i), 3e-5 * i * (1 + noise));
    m.seed = static_cast<std::uint64_t>(number);
    if (change) change(&m);
    file.add(id, m);
  }
}

std::function<void(Measurement*)> slow_down(std::int64_t n, double factor) {
  return [=](Measurement* m) {
    if (m->what.problem.n == n)
      for (double& time : m->call_times) time *= factor;
  };
}

// Makes one case slower, breaks one, and removes one.
std::function<void(Measurement*)> three_changes() {
  return [](Measurement* m) {
    slow_down(60000, 1.5)(m);
    if (m->what.problem.n == 90000) {
      m->status = Status::wrong;
      m->reason = "element 7 is <off> & \"far\"\n";
      m->call_times.clear();
    }
    if (m->what.problem.n == 240000) m->status = Status::skipped;
  };
}

TEST(CompareForCi, WritesJUnitAndALine) {
  const TemporaryFolder folder;
  store_run(folder / "a", 1);
  store_run(folder / "b", 2, three_changes());
  const std::string both = (folder / "a") + " " + (folder / "b"), file = folder / "compare.xml";
  const Outcome outcome = run_sextant("compare " + both + " --format junit --fail-on regression -o " + file);
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  const Outcome line = run_sextant("compare " + both + " --format line");
  EXPECT_EQ(outcome.out, line.out);  // the log line does not depend on where the report goes
  const Outcome same =
      run_sextant("compare --format line " + (folder / "a") + " " + (folder / "b") + " -n 30000");
  test::expect_golden(test::replaced(test::content_of(file) + line.out + same.out, folder / "", ""),
                      "present/compare_junit");
  EXPECT_EQ(std::system(("python3 -c \"import sys, xml.dom.minidom as m; d = m.parse('" + file +
                         "'); sys.exit(len(d.getElementsByTagName('testcase')) != 8)\"")
                            .c_str()),
            0);
}

TEST(CompareForCi, PutsCeilingsSideBySide) {
  const TemporaryFolder folder;
  store_run(folder / "a", 1);
  store_run(folder / "b", 2, {}, 7e9);
  store_run(folder / "c", 3);
  const std::string both = (folder / "a") + " " + (folder / "b");
  const auto ceilings = [](const std::string& text) {
    const std::size_t begin = text.find("Ceilings");
    return begin == std::string::npos ? "" : text.substr(begin, text.find("Noise") - begin);
  };
  test::expect_golden(ceilings(run_sextant("compare " + both).out) +
                          ceilings(run_sextant("compare --all " + both).out) +
                          ceilings(run_sextant("compare " + (folder / "a") + " " + (folder / "c")).out),
                      "present/compare_ceilings");
  const auto json = nlohmann::json::parse(run_sextant("compare --json " + both).out);
  EXPECT_EQ(json["comparisons"][0]["ceilings"].size(), 4u);
  EXPECT_TRUE(std::any_of(json["comparisons"][0]["ceilings"].begin(),
                          json["comparisons"][0]["ceilings"].end(),
                          [](const auto& one) { return one["other"] == 7e9; }));
}

// On a busy machine, nearly all ceilings differ. Only those that differ most are listed.
TEST(CompareForCi, ListsFewCeilings) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    std::vector<Ceiling> ceilings;
    for (int i = 0; i < 20; ++i)
      ceilings.push_back({"cpu", "copy", (i + 1) << 20, name[0] == 'a' ? 1e9 : 1e9 * (1 + 0.021 * i)});
    store_run(folder / name, name[0] == 'a' ? 1 : 2, {}, 10e9, ceilings);
  }
  const std::string both = (folder / "a") + " " + (folder / "b");
  const std::string few = run_sextant("compare " + both).out, all = run_sextant("compare --all " + both).out;
  const auto rows = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("cpu     copy", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_NE(few.find("15 of 24 differ beyond their bounds:"), std::string::npos) << few;
  EXPECT_EQ(rows(few), 5u) << few;
  EXPECT_NE(few.find("and 10 more: --all lists them"), std::string::npos) << few;
  EXPECT_LT(few.find("1.399"), few.find("1.378")) << few;
  EXPECT_EQ(rows(all), 20u) << all;
  EXPECT_EQ(few.find("unchanged"), std::string::npos) << few;  // undecided cases are not called unchanged
  const std::string history = run_sextant("compare --history " + both).out;
  EXPECT_NE(history.find("0 of 8 cases over 2 runs changed"), std::string::npos) << history;
  EXPECT_EQ(history.find("over the runs"), std::string::npos) << history;  // no heading without rows
  const auto json = nlohmann::json::parse(run_sextant("compare --json " + both).out);
  const auto& ceilings = json["comparisons"][0]["ceilings"];
  EXPECT_EQ(ceilings.size(), 24u);
  EXPECT_EQ(
      std::count_if(ceilings.begin(), ceilings.end(), [](const auto& one) { return one["differs"] == true; }),
      15);
}

TEST(History, FindsWhereALevelChanges) {
  const auto points = [](std::vector<double> times) {
    for (double& time : times) time = std::log(time);
    return change_points(times, 0.05);
  };
  using Points = std::vector<std::size_t>;
  EXPECT_EQ(points({1, 1.01, 0.99, 1, 1.3, 1.31, 1.29}), Points({4}));
  EXPECT_EQ(points({1, 1.01, 0.99, 1, 1.3, 1.31, 1.29, 1.0, 0.99, 1.01}),
            Points({4, 7}));                                             // the slowdown ends again
  EXPECT_EQ(points({1, 1.01, 0.99, 1, 3, 1.01, 1, 0.99}), Points());     // one slow run
  EXPECT_EQ(points({1, 1.01, 0.99, 1, 1, 1.01, 1.03, 1.02}), Points());  // less than the threshold
  EXPECT_EQ(points({1, 1.2, 0.9, 1.1, 0.95, 1.25, 1, 1.1}), Points());   // noise
  EXPECT_EQ(points({1, 1, 2, 2}), Points());                             // too few runs to decide
}

TEST(History, FindsFewChangesInNoise) {
  std::mt19937_64 random(1);
  int alarms = 0;
  constexpr int tries = 500;
  for (int i = 0; i < tries; ++i) {
    std::normal_distribution<double> noise(0, 0.03);
    std::vector<double> log_times(5 + static_cast<std::size_t>(i % 20));
    for (double& x : log_times) x = noise(random);
    alarms += !change_points(log_times, 0.05).empty();
  }
  EXPECT_LE(alarms, tries / 50);  // at most 2 % false alarms
}

TEST(History, ShowsEachCaseOverTheRuns) {
  const TemporaryFolder folder;
  std::string files;
  for (int run = 1; run <= 9; ++run) {
    const std::string path = folder / ("run" + std::to_string(run));
    store_run(path, run, [run](Measurement* m) {
      if (run >= 6) slow_down(60000, 1.4)(m);
      if (run >= 4) slow_down(120000, 0.7)(m);
      if (run == 9 && m->what.problem.n == 90000) m->status = Status::wrong, m->call_times.clear();
      if (run < 3 && m->what.problem.n == 240000) m->status = Status::skipped;
    });
    files = path + " " + files;  // in reverse order
  }
  const Outcome outcome = run_sextant("compare --history " + files + " --fail-on regression");
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  const Outcome line = run_sextant("compare --history --format line " + files);
  const Outcome all = run_sextant("compare --history --all -n 30000,240000 --fail-on regression " + files);
  EXPECT_EQ(all.code, 0);
  const std::string text = test::replaced(outcome.out + line.out + all.out, folder / "", "");
  test::expect_golden(std::regex_replace(text, std::regex("(file|run[0-9]) +(started|20)"), "$1 $2"),
                      "present/history");
  const auto json = nlohmann::json::parse(run_sextant("compare --history --json " + files).out);
  EXPECT_EQ(json["runs"].size(), 9u);
  EXPECT_EQ(json["cases"][1]["changes"][0]["run"], 6);
  EXPECT_EQ(json["cases"][7]["points"].size(), 7u);
  const std::string one = folder / "run1";
  EXPECT_EQ(run_sextant("compare --history " + one).code, 2);
  EXPECT_EQ(run_sextant("compare --history --csv " + files).code, 2);
}

}  // namespace
}  // namespace sextant
