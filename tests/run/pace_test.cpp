// Tests of run times that a dry run predicts from earlier runs.
#include "run/pace.hpp"

#include <gtest/gtest.h>

#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"
#include "plan/guess.hpp"
#include "run/dry_run.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

// Returns a session that measured ceilings for four seconds, and then triad cases of `seconds` each.
Results session_of(const std::string& machine, int seconds, int cases = 20) {
  Results results;
  results.sessions = {test::make_session()};
  results.sessions[0].id = 1;
  results.sessions[0].started = "2024-05-01T10:00:00Z";
  results.sessions[0].environment["machine"] = machine;
  results.sessions[0].ceilings = {{"cpu", "triad", 1 << 20, 1e10}};
  for (int i = 0; i < cases; ++i) {
    Measurement m = test::make_measurement(test::make_case("triad", "serial.baseline", 300 + i), 1e-6);
    const int at = 4 + i * seconds;
    char text[32];
    std::snprintf(text, sizeof text, "2024-05-01T10:%02d:%02dZ", at / 60, at % 60);
    m.timestamp = text;
    results.measurements.push_back({std::move(m), 1});
  }
  return results;
}

Environment environment_of(const Results& results) { return results.sessions[0].environment; }

double guess(const Case& what) { return guess_seconds(what, sampled_by(Settings{}), true); }

TEST(Pace, IsThatOfThisMachinesEarlierRuns) {
  const Results results = session_of("here", 2);
  const Case what = results.measurements[3].measurement.what;
  Pace pace;
  EXPECT_EQ(pace.factor(what), 1);
  pace.learn(results, environment_of(session_of("elsewhere", 2)));
  EXPECT_EQ(pace.cases(), 0u);
  pace.learn(results, environment_of(results));
  EXPECT_EQ(pace.cases(), 19u);
  EXPECT_EQ(pace.start(), 4);
  EXPECT_NEAR(pace.factor(what) * guess(what), 2, 0.2);
  EXPECT_NEAR(pace.factor(test::make_case("scale", "serial.baseline", 300)) * guess(what), 2,
              0.2);  // the mean pace of all cases
}

TEST(Pace, ADryRunGoesByIt) {
  const Results results = session_of("here", 2);
  std::vector<Case> cases;
  for (const StoredMeasurement& stored : results.measurements) cases.push_back(stored.measurement.what);
  DryRun run;
  run.pace.learn(results, environment_of(results));
  const Table table = dry_run_table(cases, {}, environment_of(results), run);
  EXPECT_NE(table.note.find("20 cases, about 4"), std::string::npos) << table.note;  // about 40 s
  EXPECT_NE(table.note.find("estimated from 19 cases of earlier runs on this machine"), std::string::npos)
      << table.note;
  const std::string guessed = dry_run_table(cases, {}, environment_of(results)).note;
  EXPECT_NE(guessed.find("no results file in this folder is from this machine"), std::string::npos)
      << guessed;
}

// A pause between two runs must not count as the time of a case.
TEST(Pace, TakesNoTimeLongerThanACaseMayTake) {
  Results results = session_of("here", 2);
  results.measurements.back().measurement.timestamp = "2024-05-01T12:00:00Z";
  Pace pace;
  pace.learn(results, environment_of(results));
  EXPECT_EQ(pace.cases(), 18u);
}

TEST(Pace, ARunOnABusyMachineCountsForNothingBesideOthers) {
  Results busy = session_of("here", 40);
  busy.sessions[0].started = "2024-05-01T09:50:00Z";  // the ceilings took ten minutes
  const Environment here = environment_of(busy);
  const Case what = busy.measurements[3].measurement.what;
  Pace pace;
  pace.learn(busy, here);
  EXPECT_NEAR(pace.factor(what) * guess(what), 40, 4);  // no other data are known
  pace.learn(session_of("here", 2), here);
  EXPECT_NEAR(pace.factor(what) * guess(what), 2, 0.2);
  EXPECT_EQ(pace.start(), 4);
  EXPECT_EQ(pace.cases(), 19u);
}

// Times from a busy machine are converted to an idle one. A dry run then multiplies by the present slowdown.
TEST(Pace, TakesTheLoadIntoAccount) {
  EXPECT_EQ(slowdown_of(0, 2), 1);
  EXPECT_EQ(slowdown_of(7, 2), 4);
  EXPECT_EQ(slowdown_of(7, 64), 1);
  Results results = session_of("here", 8);
  Environment& then = results.sessions[0].environment;
  then["cpu.usable"] = "2", then["load"] = "7.00";
  Environment idle = then;
  idle["load"] = "0.10";
  const Case what = results.measurements[3].measurement.what;
  DryRun run;
  run.pace.learn(results, idle);
  EXPECT_NEAR(run.pace.factor(what) * guess(what), 2, 0.3);
  EXPECT_EQ(run.pace.start(), 1);
  const auto seconds = [&](const Environment& now) {
    return std::get<double>(dry_run_table({what}, {}, now, run).rows.at(0).back().value);
  };
  EXPECT_NEAR(seconds(then) / seconds(idle), 4, 1e-9);
  EXPECT_NE(dry_run_table({what}, {}, then, run).note.find("at the present load of 7.00 on 2 processors"),
            std::string::npos);
  EXPECT_EQ(dry_run_table({what}, {}, idle, run).note.find("load"), std::string::npos);
}

TEST(Pace, LearnsWhatASessionRecorded) {
  Results results = session_of("here", 2);
  for (const auto& [key, value] : recorded({4, 42, 20})) results.sessions[0].environment[key] = value;
  Pace pace;
  pace.learn(results, environment_of(results));
  EXPECT_EQ(pace.cases(), 20u);  // the end of the last case is known, too
  EXPECT_NEAR(pace.visits(), 20 / most_seconds_of_visits(42), 1e-9);
  EXPECT_EQ(most_seconds_of_visits(1), 2);
}

TEST(Pace, LearnsOfSearchesFromTheirSteps) {
  Results results = session_of("here", 2);
  Search search;
  search.session = 1;
  search.space = test::make_case("triad", "openmp.simd", 300);
  search.steps.resize(10);
  for (SearchStep& step : search.steps) step.cost = 3;
  results.searches = {search};
  Pace pace;
  pace.learn(results, environment_of(results));
  EXPECT_EQ(pace.cases(), 0u);  // in a search, the time between results does not predict a run
  EXPECT_EQ(pace.cases(Pace::Measured::by_search), 10u);
  EXPECT_NEAR(pace.factor(search.space, Pace::Measured::by_search) * guess(search.space), 3, 0.3);
}

TEST(Pace, IsReadFromTheFilesOfAFolder) {
  const test::TemporaryFolder folder;
  const Results results = session_of("here", 2);
  ResultsFile(folder / "earlier.sextant", ResultsFile::Mode::write).add_missing(results);
  EXPECT_EQ(pace_of_files(folder / "new.sextant", environment_of(results)).cases(), 19u);
  EXPECT_EQ(pace_of_files("none/new.sextant", environment_of(results)).cases(), 0u);
}

}  // namespace
}  // namespace sextant
