// Tests of `sextant compare`: the decision rule on hand-made runs, and the command as a user calls it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "analysis/compare/intervals.hpp"
#include "analysis/compare/turns.hpp"
#include "command.hpp"
#include "golden.hpp"
#include "present/comparison.hpp"
#include "record/device_time.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::make_case;
using test::make_measurement;
using test::make_session;
using test::Outcome;
using test::run_sextant;
using test::TemporaryFolder;

constexpr std::int64_t sizes[] = {30000,  60000,  90000,  120000, 150000,
                                  180000, 210000, 240000, 270000, 300000};

// Stores a run of ten cases. `change` is applied to each case first. The noise between runs is about one
// percent and depends on `number`.
void store_run(const std::string& path, int number, const std::function<void(Measurement*)>& change = {},
               const std::function<void(Session*)>& change_session = {}) {
  ResultsFile file(path, ResultsFile::Mode::write);
  Session session = make_session("alpha", "2024-05-01T10:00:" + std::to_string(10 + number) + "Z");
  session.environment["git_revision"] = "abc";
  if (change_session) change_session(&session);
  const std::int64_t id = file.begin_session(session);
  int i = 0;
  for (const std::int64_t n : sizes) {
    const double noise = 0.01 * std::sin(number * 12.9898 + 78.233 * ++i);
    Measurement m =
        make_measurement(make_case("triad", "serial.baseline", n), 1e-9 * double(n) * (1 + noise));
    m.seed = static_cast<std::uint64_t>(number);
    if (change) change(&m);
    file.add(id, m);
  }
}

auto slow_down(std::int64_t n, double factor) {
  return [=](Measurement* m) {
    if (m->what.problem.n == n)
      for (double& time : m->call_times) time *= factor;
  };
}

nlohmann::json compared(const std::string& arguments, int code = 0) {
  const Outcome outcome = run_sextant("compare --format json " + arguments);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  return nlohmann::json::parse(outcome.out, nullptr, false);
}

nlohmann::json case_of(const nlohmann::json& all, std::int64_t n) {
  for (const auto& c : all["comparisons"][0]["cases"])
    if (c["n"] == n) return c;
  return {};
}

TEST(Compare, PairsOnlyCasesWithTheSameFill) {
  const TemporaryFolder folder;
  const auto fill = [](Measurement* m) {
    m->what.fill = m->what.problem.n < 150000 ? InputFill::zeros : InputFill::uniform;
  };
  store_run(folder / "a", 1);
  store_run(folder / "b", 2, fill);
  store_run(folder / "c", 3, fill);
  const auto pairs = [&](const char* first, const char* second) {
    return compared(folder / first + " " + folder / second)["comparisons"][0]["cases"];
  };
  EXPECT_EQ(pairs("a", "b").size(), 6u);
  const nlohmann::json filled = pairs("b", "c");
  ASSERT_EQ(filled.size(), 10u);
  for (const auto& one : filled)
    EXPECT_EQ(one["fill"], one["n"] < 150000 ? nlohmann::json("zeros") : nullptr);
  const std::string text = run_sextant("compare --all " + folder / "b" + " " + folder / "c").out;
  EXPECT_NE(text.find("serial.baseline zeros"), std::string::npos) << text;
}

// In the second file, every case also has times on inputs that it has seen before, which are half as long.
TEST(DataOption, TakesTimesOnSeenInputs) {
  const TemporaryFolder folder;
  const std::string plain = folder / "plain", both = folder / "both";
  store_run(plain, 1);
  store_run(both, 2, [](Measurement* m) {
    m->seen_times = m->call_times;
    for (double& time : m->seen_times) time /= 2;
  });
  const auto ratio = [&](const std::string& data) {
    return case_of(compared(plain + " " + both + data), 30000)["ratio"].get<double>();
  };
  EXPECT_NEAR(ratio(""), 1, 0.1);
  EXPECT_NEAR(ratio(" --data fresh"), 1, 0.1);
  EXPECT_NEAR(ratio(" --data seen"), 0.5, 0.05);
  const auto row = [&](const std::string& data) {
    const std::string text = run_sextant("export --format ndjson -n 30000 " + both + data).out;
    return nlohmann::json::parse(text, nullptr, false)["call_time_median"].get<double>();
  };
  EXPECT_NEAR(row(" --data seen") / row(""), 0.5, 1e-9);
  const auto shown = [&](const std::string& data) {
    return run_sextant("show --by variants " + both + data);
  };
  EXPECT_NE(shown("").out, shown(" --data seen").out);
  EXPECT_NE(shown(" --data seen").err.find("has times on seen inputs for 10 of 10 cases"), std::string::npos);
}

TEST(DataOption, RefusesWhatItDoesNotKnow) {
  const TemporaryFolder folder;
  const std::string file = folder / "r";
  store_run(file, 1);
  std::string all;
  for (const char* command : {"show --data old r", "export --data old r", "compare --data old r r",
                              "advise --data old --from r", "export --data seen --format data-set r",
                              "compare --data seen --programs a,b", "advise --data seen --evaluate r"}) {
    const Outcome outcome = run_sextant(test::replaced(command, " r", " " + file));
    EXPECT_EQ(outcome.code, 2) << command;
    all += test::replaced(outcome.err, file, "r");
  }
  test::expect_golden(all, "present/data_refusals");
}

TEST(Intervals, DependenceLengthensTheInterval) {
  std::vector<double> samples, blocks;
  for (int i = 0; i < 200; ++i) {
    samples.push_back(1 + 0.1 * std::fmod(i * 0.6180339887, 1.0));
    blocks.push_back(1 + 0.1 * std::fmod(i / 20 * 0.6180339887, 1.0));
  }
  EXPECT_NEAR(dependence(samples), 1, 0.2);
  EXPECT_GT(dependence(blocks), 10);
  EXPECT_GT(noise(dependent_median_interval(blocks)), 2 * noise(median_interval(blocks)));
  EXPECT_EQ(dependence(std::vector<double>(100, 1.0)), 1);
}

TEST(Intervals, MiddleMeanTellsPartsOfAStep) {
  std::vector<double> samples(6, 896e-9);
  samples.insert(samples.end(), 6, 928e-9);
  samples.push_back(1);
  const Interval middle = middle_mean(samples, 32e-9);
  EXPECT_GT(middle.median, 900e-9);
  EXPECT_LT(middle.median, 928e-9);
  EXPECT_DOUBLE_EQ(middle.minimum, 896e-9);
  EXPECT_GT(std::log(middle.high / middle.low), 2 * 1.96 * 32 / 928 / std::sqrt(12.0));
  EXPECT_EQ(middle_mean({}, 0).samples, 0u);
}

// Returns the times of one side's A-B-B-A turns. As on a loaded machine, one turn in ten is slower by up to a
// half. A drift affects both sides.
std::vector<double> made_turns(std::mt19937_64& random, std::size_t count, double width, double shift) {
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<double> turns;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += uniform();
    const double slowed = uniform() < 0.1 ? 0.5 * uniform() : 0;
    turns.push_back(shift + width * sum + (width > 0.01 ? slowed : 0) + 0.02 * static_cast<double>(i) / 128);
  }
  return turns;
}

// Judges 100 cases after each new turn, and counts the final verdicts.
std::map<Verdict, int> verdicts_in_turns(double width, double shift, double threshold) {
  std::mt19937_64 random(7);
  std::map<Verdict, int> counts;
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> base = made_turns(random, most_turns, width, 0),
                              other = made_turns(random, most_turns, width, shift);
    Verdict verdict = Verdict::open;
    for (std::size_t taken = 2; taken <= most_turns && verdict == Verdict::open; taken += 2)
      if (time_to_judge(taken, most_turns))
        verdict = judge_turns({base.begin(), base.begin() + static_cast<std::ptrdiff_t>(taken)},
                              {other.begin(), other.begin() + static_cast<std::ptrdiff_t>(taken)}, threshold)
                      .verdict;
    ++counts[verdict];
  }
  return counts;
}

TEST(Turns, OfASteadyDeviceTellTwoPercent) {
  std::map<Verdict, int> same = verdicts_in_turns(0.005, 0, 0.01),
                         slower = verdicts_in_turns(0.005, 0.02, 0.01);
  EXPECT_LE(same[Verdict::slower] + same[Verdict::faster], 1);
  EXPECT_GE(same[Verdict::equal], 97);
  EXPECT_GE(slower[Verdict::slower], 95);
  EXPECT_EQ(slower[Verdict::faster], 0);
}

TEST(Turns, OfABusyProcessorTellTenPercent) {
  std::map<Verdict, int> same = verdicts_in_turns(0.1, 0, 0.05), slower = verdicts_in_turns(0.1, 0.095, 0.05);
  EXPECT_LE(same[Verdict::slower] + same[Verdict::faster], 1);
  EXPECT_GE(slower[Verdict::slower], 90);
}

TEST(Turns, ADifferenceHasToShowInSeveralProcesses) {
  EXPECT_TRUE(confirmed({0.1, 0.12, 0.03, 0.1, 0.09, 0.11}, 0.05));
  EXPECT_TRUE(confirmed({-0.1, -0.12, -0.2, -0.1, -0.1, -0.1}, 0.05));
  EXPECT_FALSE(confirmed({0.1, 0.12, -0.01, 0.1, 0.09, 0.11}, 0.05));  // one pair contradicts
  EXPECT_FALSE(confirmed({0.1, 0.02, 0.01, 0.03, 0.09, 0.02}, 0.05));  // the median is below the threshold
}

TEST(Turns, FewOfThemTellNothing) {
  EXPECT_EQ(judge_turns({1, 1, 1}, {2, 2, 2}, 0.05).verdict, Verdict::open);
  EXPECT_EQ(judge_turns({1, 1, 1, 1}, {2, 2, 2, 2}, 0.05).verdict, Verdict::open);
  EXPECT_EQ(judge_turns(std::vector<double>(8, 1), std::vector<double>(8, 2), 0.05).verdict, Verdict::slower);
  EXPECT_EQ(judge_turns(std::vector<double>(8, 1), std::vector<double>(8, 0.5), 0.05).verdict,
            Verdict::faster);
}

TEST(Intervals, ShiftIntervalOfManyValuesIsThatOfFewOnTheirWay) {
  std::vector<double> a, b;
  for (int i = 0; i < 31; ++i) {
    a.push_back(std::fmod(i * 0.618034, 1));
    b.push_back(std::fmod(i * 0.618034 + 0.3, 1));
  }
  const Shift normal = shift_interval(a, b),
              exact = shift_interval(std::span(a).first(30), std::span(b).first(30));
  EXPECT_NEAR(normal.low, exact.low, 0.05);
  EXPECT_NEAR(normal.high, exact.high, 0.05);
  EXPECT_LT(shift_interval(a, b, 0.001).low, normal.low);
}

TEST(Intervals, ShiftIntervalIsThatOfTheRankSumTest) {
  const std::vector<double> a = {0, 1, 2, 3, 4}, b = {10, 11, 12, 13, 14};
  const Shift five =
      shift_interval(a, b);  // of the 25 differences (6 to 14), two at each end are outside the interval
  EXPECT_TRUE(five.known);
  EXPECT_EQ(five.low, 7);
  EXPECT_EQ(five.high, 13);
  const Shift four = shift_interval(std::span(a).first(4), std::span(b).first(4));
  EXPECT_TRUE(four.known);  // all differences are inside, because 2 of 70 orders are as extreme
  EXPECT_EQ(four.low, 7);
  EXPECT_EQ(four.high, 13);
  EXPECT_FALSE(shift_interval(std::span(a).first(3), std::span(b).first(3)).known);
  EXPECT_FALSE(shift_interval({}, b).known);
}

// Stores a run of GPU cases. Device times have a resolution of 32 ns and vary little between runs; call times
// vary a lot. One of every `planted` cases is slower by `factor`.
void store_gpu_run(const std::string& path, int number, int cases, int planted = 0, double factor = 1,
                   const std::function<void(int, Measurement*)>& change = {}) {
  std::mt19937_64 random(static_cast<unsigned>(number));
  const auto normal = [&](double width) {
    double sum = -6;  // approximates a normal distribution, identically on every machine
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() >> 11) * 0x1p-53;
    return 1 + width * sum;
  };
  ResultsFile file(path, ResultsFile::Mode::write);
  const std::int64_t id =
      file.begin_session(make_session("alpha", "2024-05-01T10:00:" + std::to_string(10 + number) + "Z"));
  for (int i = 0; i < cases; ++i) {
    const double slower = planted && i % planted == 0 ? factor : 1;
    const double time = 0.9e-6 * std::pow(1.02, i % 300) * slower, moved = time * normal(0.004);
    Measurement m = make_measurement(make_case("triad", "cuda.vector", 1000 + i), time);
    m.what.device = "gpu0";
    m.seed = static_cast<std::uint64_t>(number);
    m.device_times.clear();
    for (int k = 0; k < 15; ++k)
      m.device_times.push_back(32e-9 * std::floor(moved * normal(0.01) / 32e-9 + normal(0.3) - 0.5));
    const double call = (time + 1e-5) * normal(0.15);
    for (double& one : m.call_times) one = call * normal(0.005);
    m.launches.clear();
    m.end_to_end_times.clear();
    if (change) change(i, &m);
    file.add(id, m);
  }
}

TEST(CompareCommand, GpuCasesAreJudgedByTheDevicesTime) {
  const TemporaryFolder folder;
  store_gpu_run(folder / "a", 1, 400);
  store_gpu_run(folder / "b", 2, 400);
  store_gpu_run(folder / "slower", 3, 400, 20, 1.10);
  const nlohmann::json same = compared((folder / "a") + " " + (folder / "b"))["comparisons"][0];
  EXPECT_EQ(same["cases"][0]["time"], "device");
  EXPECT_LE(same["counts"]["slower"].get<int>() + same["counts"]["faster"].get<int>(), 2);
  EXPECT_GE(same["counts"]["equal"].get<int>(), 360);
  const nlohmann::json planted = compared((folder / "a") + " " + (folder / "slower"))["comparisons"][0];
  EXPECT_GE(planted["counts"]["slower"].get<int>(), 19);
  EXPECT_LE(planted["counts"]["slower"].get<int>() + planted["counts"]["faster"].get<int>(), 22);
  const nlohmann::json calls =
      compared((folder / "a") + " " + (folder / "b") + " --time call")["comparisons"][0];
  EXPECT_EQ(calls["counts"]["equal"], 0);
  EXPECT_EQ(calls["cases"][0]["time"], "call");
}

// Of the slower cases, every second one has a clock that is lower by as much.
TEST(CompareCommand, SaysThatADifferenceIsOneOfTheClock) {
  const TemporaryFolder folder;
  const auto at = [](Measurement* m, double clock) {
    m->clock = clock;
    m->states = {{0, {{11, clock, false}}, {}, {}, ""}};
  };
  store_gpu_run(folder / "a", 1, 400, 0, 1, [&](int, Measurement* m) { at(m, 1.98e9); });
  store_gpu_run(folder / "slower", 3, 400, 20, 1.10,
                [&](int i, Measurement* m) { at(m, i % 40 == 0 ? 1.8e9 : 1.98e9); });
  int slower = 0, by_clock = 0;
  const nlohmann::json all = compared((folder / "a") + " " + (folder / "slower"));
  for (const auto& one : all["comparisons"][0]["cases"]) {
    if (one["verdict"] != "slower") continue;
    ++slower;
    const bool is_named = one["reason"] == "the clock: 1980 -> 1800 MHz";
    by_clock += is_named;
    if (one["n"].get<int>() % 40 != 0) {
      EXPECT_FALSE(is_named) << one["n"];
    }
  }
  EXPECT_GE(slower, 19);
  EXPECT_GE(by_clock, 9);
  EXPECT_LE(by_clock, 10);
}

TEST(CompareCommand, WhatCopiesItsArraysItselfIsJudgedByItsCalls) {
  const TemporaryFolder folder;
  const auto copying = [](double kernels) {
    return [=](Measurement* m) {
      m->what.variant = "openacc.data_clauses";
      m->what.device = "gpu0";
      m->device_times = std::vector<double>(15, 1e-3);
      m->launches = {{"triad", {1, 1, 1}, {32, 1, 1}, 8, 0, 1, kernels, 1}};
    };
  };
  store_run(folder / "a", 1, copying(1e-5));
  store_run(folder / "b", 2, copying(1e-5));
  store_run(folder / "c", 3, copying(9e-4));
  store_run(folder / "d", 4, copying(9e-4));
  EXPECT_EQ(case_of(compared((folder / "a") + " " + (folder / "b")), 30000)["time"], "call");
  EXPECT_EQ(case_of(compared((folder / "c") + " " + (folder / "d")), 30000)["time"], "device");
}

TEST(CompareCommand, CallsThatOtherGpusMovedAreNotJudged) {
  const TemporaryFolder folder;
  const auto run = [](double factor, Isolation isolation) {
    return [=](Measurement* m) {
      m->what.variant = "cuda.elementwise";
      m->what.device = "gpu0";
      m->isolation = isolation;
      slow_down(30000, factor)(m);
    };
  };
  store_run(folder / "a", 1, run(1, Isolation::calls_alone));
  store_run(folder / "b", 2, run(2, Isolation::calls_alone));
  store_run(folder / "c", 2, run(2, Isolation::calls_disturbed));
  const std::string base = (folder / "a") + " ";
  EXPECT_EQ(case_of(compared(base + (folder / "b")), 30000)["verdict"], "slower");
  const nlohmann::json disturbed = case_of(compared(base + (folder / "c")), 30000);
  EXPECT_EQ(disturbed["verdict"], "open");
  EXPECT_NE(disturbed["reason"].get<std::string>().find("other GPUs"), std::string::npos);
}

// A turn's time ignores a disturbance of most of its calls, but not a slowdown of all calls.
TEST(Turns, CallTimesAreThoseOfTheFastestQuarter) {
  EXPECT_EQ(fastest_quarter({}), 0);
  EXPECT_DOUBLE_EQ(fastest_quarter({3}), 3);
  EXPECT_DOUBLE_EQ(fastest_quarter({1.0, 1.0, 5, 6, 7, 8, 9, 10}), 1);
  EXPECT_DOUBLE_EQ(fastest_quarter({8, 2, 9, 1.0, 5, 6, 7, 10}), 1.5);
  Measurement turn = make_measurement(make_case("triad", "openmp.simd", 7936), 1);
  turn.call_times = {1.1, 1.1, 4, 4, 4, 4, 4, 4};
  EXPECT_DOUBLE_EQ(turn_times({turn}, ComparedTime::call).at(0), std::log(1.1));
}

// Further pairs of processes confirm a difference. With too few turns, noise alone could contradict it.
TEST(Turns, FurtherPairsTakeHalfAsManyAsTheFirstNeeded) {
  EXPECT_EQ(confirming_turns(8), 8u);
  EXPECT_EQ(confirming_turns(32), 16u);
  EXPECT_EQ(confirming_turns(128), 32u);
  EXPECT_EQ(confirming_turns(4), 8u);  // as with --runs 4
}

TEST(CompareTable, KeepsItsVerdictWhereALineHasNoRoomForAll) {
  Measurement measurement = make_measurement(make_case("stencil3d_7pt", "openmp.streaming", 9437184), 1e-3);
  measurement.what.tuning = {{"tile_rows", 128}};
  Summary summary;
  summary.measurement = &measurement;
  ComparedCase c;
  c.base = c.other = &summary;
  c.base_time = 1e-3;
  c.other_time = 2e-3;
  c.ratio = {.low = 1.987, .median = 2, .high = 12.34, .samples = 8};
  c.verdict = Verdict::slower;
  ComparisonReport report;
  report.sides = {{"a", {summary}}, {"b", {summary}}};
  Comparison comparison;
  comparison.in_turns = true;
  comparison.cases = {c};
  report.comparisons = {comparison};
  const std::string narrow = to_text(report, true, false, false, 80),
                    wide = to_text(report, true, false, false);
  const std::string narrowest = to_text(report, true, false, false, 60);
  test::expect_golden(wide + "\n==== 80 columns\n" + narrow + "\n==== 60 columns\n" + narrowest,
                      "present/compare_widths");
}

TEST(CompareTable, AnswersBeforeItsRows) {
  const Measurement measurement = make_measurement(make_case("triad", "openmp.simd", 7936), 1e-3);
  Summary summary;
  summary.measurement = &measurement;
  ComparedCase c;
  c.base = c.other = &summary;
  c.base_time = c.other_time = 1e-3;
  c.ratio = {.low = 1.9, .median = 2, .high = 2.1, .samples = 8};
  c.verdict = Verdict::slower;
  ComparedCase same = c, none = c;
  same.ratio = {.low = 0.99, .median = 1, .high = 1.01, .samples = 8};
  same.verdict = Verdict::equal;
  none.ratio = {};
  none.verdict = Verdict::broken;
  ComparisonReport report;
  report.sides = {{"a", {summary}}, {"b", {summary}}};
  Comparison comparison;
  comparison.cases = {same, c, none};
  report.comparisons = {comparison};
  const std::string text = to_text(report, true, false, false);
  EXPECT_TRUE(
      text.starts_with("b against a\n\n3 cases: 1 broken, 1 slower, 1 equal.\n"
                       "Times now over before, geometric mean and range: openmp 1.414 (1 to 2).\n"))
      << text;
  EXPECT_NE(to_text(report, true, true, false).find("\n3 cases: 1 broken"), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(to_json(report));
  EXPECT_NEAR(json["comparisons"][0]["geometric_means"]["openmp"].get<double>(), std::sqrt(2.0), 1e-12);
}

TEST(CompareCommand, MeasuresTwoProgramsInTurnsAndStoresBoth) {
  const TemporaryFolder folder;
  const std::string program = SEXTANT_PROGRAM, files = (folder / "a") + "," + (folder / "b");
  const nlohmann::json all = compared(
      "--programs " + program + "," + program +
      " -k copy -v 'serial\\.(baseline|native)' -n 30000 --type float --runs 8 -q --results " + files);
  const nlohmann::json& cases = all["comparisons"][0]["cases"];
  ASSERT_EQ(cases.size(), 2u) << all.dump(1);
  EXPECT_EQ(cases[0]["base_runs"], 8);
  EXPECT_EQ(all["comparisons"][0]["noise"]["source"], "turns");
  for (const char* side : {"a", "b"}) {
    const Results stored = ResultsFile(folder / side, ResultsFile::Mode::read).load();
    ASSERT_EQ(stored.measurements.size(), 2u);
    EXPECT_GE(stored.measurements[0].measurement.call_times.size(), 8u * 5);
    EXPECT_EQ(machine_of(stored.sessions.at(0)).empty(), false);
  }
  EXPECT_EQ(run_sextant("compare " + (folder / "a") + " " + (folder / "b")).code, 0);
}

TEST(CompareCommand, RefusesTurnsThatCannotBe) {
  std::string said;
  for (const char* arguments : {"--programs one", "--programs a,b,c",
                                "--programs /no/such/sextant,/nor/this -k copy -n 30000 -v serial.baseline",
                                "--programs a,b a.sextant", "--programs a,b --runs 2", "a b --runs 8"}) {
    const Outcome outcome = run_sextant("compare " + std::string(arguments));
    EXPECT_EQ(outcome.code, 2) << arguments;
    said += outcome.err;
  }
  test::expect_golden(said, "present/compare_refusals:programs");
}

TEST(CompareCommand, TwoRunsOfTheSameAreTheSame) {
  const TemporaryFolder folder;
  store_run(folder / "a", 1);
  store_run(folder / "b", 2);
  const nlohmann::json all =
      compared((folder / "a") + " " + (folder / "b") + " --fail-on regression --threshold 25%");
  EXPECT_EQ(all["comparisons"][0]["counts"]["equal"], 10) << all.dump(1);
  EXPECT_EQ(all["comparisons"][0]["noise"]["source"], "comparison");
}

TEST(CompareCommand, FindsWhatBecameSlowerAndFaster) {
  const TemporaryFolder folder;
  store_run(folder / "a", 1);
  store_run(folder / "b", 2, [](Measurement* m) {
    slow_down(90000, 1.5)(m);
    slow_down(150000, 0.5)(m);
  });
  const std::string both = (folder / "a") + " " + (folder / "b");
  const nlohmann::json all = compared(both + " --fail-on regression", 4);
  EXPECT_EQ(case_of(all, 90000)["verdict"], "slower") << all.dump(1);
  EXPECT_NEAR(case_of(all, 90000)["ratio"].get<double>(), 1.5, 0.05);
  EXPECT_EQ(case_of(all, 150000)["verdict"], "faster");
  EXPECT_EQ(all["comparisons"][0]["counts"]["slower"], 1);
  EXPECT_EQ(compared(both + " --threshold 60% --fail-on regression")["comparisons"][0]["counts"]["slower"],
            0);
  // A number without % is a percentage, and the message says so.
  const Outcome bare = run_sextant("compare " + both + " --threshold 5 --fail-on regression");
  EXPECT_EQ(bare.code, 4) << bare.out;
  EXPECT_NE(bare.err.find("--threshold: 5 %"), std::string::npos) << bare.err;
  EXPECT_EQ(run_sextant("compare " + both + " --json").out,
            run_sextant("compare " + both + " --format json").out);
  const std::string csv = run_sextant("compare " + both + " --csv").out;
  EXPECT_TRUE(csv.starts_with("base,other,kernel,variant,type,n,")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 11) << csv;
  // Cases outside the selection are no regressions, but they contribute to the noise estimate.
  const nlohmann::json selected = compared(both + " -n 60000 --fail-on regression");
  EXPECT_EQ(selected["comparisons"][0]["cases"].size(), 1u);
  EXPECT_EQ(selected["comparisons"][0]["noise"], all["comparisons"][0]["noise"]);
}

TEST(CompareCommand, NoiseOfTheMachineHidesSmallChangesAndRepeatsTellThem) {
  const TemporaryFolder folder;
  const auto noisy = [](int run, double factor) {
    return [=](Measurement* m) {  // all other cases differ by up to 20 % between runs
      const double n = static_cast<double>(m->what.problem.n);
      for (double& time : m->call_times)
        time *= m->what.problem.n == 90000 ? factor : 1 + 0.2 * std::sin(run * 3.7 + n * 1e-3);
    };
  };
  std::string sides[2];
  for (int i = 0; i < 6; ++i) {
    const std::string path = folder / std::to_string(i);
    store_run(path, i, noisy(i, i < 3 ? 1 : 3));
    sides[i / 3] += (sides[i / 3].empty() ? "" : ",") + path;
  }
  EXPECT_EQ(case_of(compared((folder / "0") + " " + (folder / "1")), 60000)["verdict"], "open");
  const nlohmann::json all = compared(sides[0] + " " + sides[1]);
  EXPECT_EQ(all["comparisons"][0]["noise"]["source"], "visits");
  EXPECT_EQ(case_of(all, 90000)["base_runs"], 3);
  EXPECT_EQ(case_of(all, 90000)["verdict"], "slower") << all["comparisons"][0]["noise"];
}

TEST(CompareCommand, ThreadsOfAnOverloadedMachineAreOpen) {
  const TemporaryFolder folder;
  const auto loaded = [](const char* load) {
    return [=](Session* session) {
      session->environment["load"] = load;
      session->environment["cpu.threads"] = "2";
    };
  };
  const auto threads = [](double factor) {
    return [=](Measurement* m) {
      if (m->what.problem.n > 60000) return;
      m->what.variant = m->what.problem.n == 60000 ? "openmp.simd" : "serial.native";
      for (double& time : m->call_times) time *= factor;
    };
  };
  store_run(folder / "a", 1, threads(1), loaded("0.5"));
  store_run(folder / "b", 2, threads(2), loaded("1.9"));
  store_run(folder / "c", 3, threads(2), loaded("2.1"));
  EXPECT_EQ(compared((folder / "a") + " " + (folder / "b"))["comparisons"][0]["counts"]["slower"], 2);
  const nlohmann::json all = compared((folder / "a") + " " + (folder / "c"));
  EXPECT_EQ(case_of(all, 60000)["verdict"], "open");
  EXPECT_EQ(case_of(all, 30000)["verdict"], "slower");
  EXPECT_NE(all["notes"][0].get<std::string>().find("(load 2.1 on 2 processors)"), std::string::npos);
}

TEST(CompareCommand, ThreadsTellCasesApartWhereASideHasSeveral) {
  const TemporaryFolder folder;
  const auto openmp = [](Measurement* m) { m->what.variant = "openmp.simd"; };
  const auto threads = [](const char* count) {
    return [=](Session* session) { session->environment["openmp.threads"] = count; };
  };
  store_run(folder / "a2", 1, openmp, threads("2"));
  store_run(folder / "a4", 2, openmp, threads("4"));
  store_run(folder / "b4", 3, openmp, threads("4"));
  // If each side used one number of threads, the cases match, and the difference is reported.
  const Outcome text = run_sextant("compare " + (folder / "a2") + " " + (folder / "b4"));
  test::expect_golden(test::replaced(text.out, folder / "", ""), "present/compare_threads");
  EXPECT_EQ(compared((folder / "a2") + " " + (folder / "b4"))["comparisons"][0]["cases"].size(), 10u);
  // If one side used two numbers of threads, its cases with 2 threads have no counterpart on the other side.
  const nlohmann::json all = compared((folder / "a2") + "," + (folder / "a4") + " " + (folder / "b4"));
  ASSERT_EQ(all["comparisons"][0]["cases"].size(), 10u);
  for (const auto& c : all["comparisons"][0]["cases"]) {
    EXPECT_EQ(c["threads"], "4");
    EXPECT_EQ(c["base_runs"], 1);
  }
  ASSERT_EQ(all["missing"].size(), 10u);
  EXPECT_EQ(all["missing"][0]["threads"], "2");
}

TEST(CompareCommand, FiveRunsASideFindASteadyCaseAmongNoisyOnes) {
  const TemporaryFolder folder;
  const auto sides = [&](int runs) {
    std::string text[2];
    for (int i = 0; i < 2 * runs; ++i) {
      const std::string path = folder / (std::to_string(runs) + "-" + std::to_string(i));
      store_run(path, i, [&](Measurement* m) {  // all other cases differ by 20 % between runs
        const double n = static_cast<double>(m->what.problem.n);
        for (double& time : m->call_times)
          time *= m->what.problem.n == 90000 ? (i % 2 ? 1.6 : 1) : 1 + 0.2 * std::sin(i * 3.7 + n * 1e-3);
      });
      text[i % 2] += (text[i % 2].empty() ? "" : ",") + path;
    }
    return text[0] + " " + text[1];
  };
  const nlohmann::json all = compared(sides(5));
  EXPECT_EQ(case_of(all, 90000)["verdict"], "slower");
  EXPECT_EQ(all["comparisons"][0]["counts"]["slower"], 1) << all.dump(1);
}

TEST(CompareCommand, ASingleCaseIsJudgedByWhatRunsTypicallyDifferBy) {
  const TemporaryFolder folder;
  const auto one = [&](const std::string& name, double time, const std::string& machine) {
    ResultsFile file(folder / name, ResultsFile::Mode::write);
    file.add(file.begin_session(make_session(machine)),
             make_measurement(make_case("triad", "serial.baseline", 30000), time));
  };
  one("a", 1e-3, "alpha");
  one("b", 1.5e-3, "alpha");
  one("d", 2.2e-3, "alpha");
  one("c", 2.2e-3, "beta");
  EXPECT_EQ(case_of(compared((folder / "a") + " " + (folder / "b")), 30000)["verdict"], "open");
  EXPECT_EQ(case_of(compared((folder / "a") + " " + (folder / "d")), 30000)["verdict"], "slower");
  const nlohmann::json other = compared((folder / "a") + " " + (folder / "c"));
  EXPECT_EQ(case_of(other, 30000)["verdict"], "slower");
  EXPECT_EQ(other["comparisons"][0]["differences"][0]["key"], "machine");
}

// Stores a run whose cases were measured by four processes. Their times differ by the logarithm `between`.
void store_visited(const std::string& path, int number, double between, double slower = 1) {
  std::mt19937 random(static_cast<unsigned>(number));
  std::normal_distribution<double> normal(0, between);
  store_run(
      path, number,
      [&](Measurement* m) {
        const double seconds = m->call_times[5] * (m->what.problem.n == 90000 ? slower : 1);
        m->call_times = test::samples_around(seconds * std::exp(normal(random)));
        for (int process = 1; process < 4; ++process)
          m->visits.push_back({process, test::samples_around(seconds * std::exp(normal(random)), 5)});
      },
      [](Session* session) { session->environment["run.visits"] = "8"; });
}

TEST(CompareCommand, VisitsFindTwiceAsLongInOneRunASideAndInThree) {
  const TemporaryFolder folder;
  for (int i = 0; i < 6; ++i) store_visited(folder / std::to_string(i), i, 0.15, i < 3 ? 1 : 2);
  const auto side = [&](int first, int runs) {
    std::string text;
    for (int i = first; i < first + runs; ++i) text += (i > first ? "," : "") + (folder / std::to_string(i));
    return text;
  };
  for (const int runs : {1, 3}) {
    const nlohmann::json all = compared(side(0, runs) + " " + side(3, runs) + " --fail-on regression", 4);
    EXPECT_EQ(case_of(all, 90000)["verdict"], "slower") << all.dump(1);
    EXPECT_EQ(all["comparisons"][0]["counts"]["slower"], 1);
    EXPECT_EQ(all["comparisons"][0]["counts"]["faster"], 0);
    EXPECT_EQ(all["comparisons"][0]["noise"]["source"], "visits");
  }
}

// Runs that differ by 2 % are never called different in 2000 comparisons, given the threshold of 5 % and 99.5
// % confidence.
TEST(CompareCommand, EqualRunsAreNotCalledDifferent) {
  const TemporaryFolder folder;
  int wrong = 0, equal = 0, all = 0;
  for (int i = 0; i < 20; ++i) {
    store_visited(folder / "a", 2 * i, i % 2 ? 0.02 : 0.1);
    store_visited(folder / "b", 2 * i + 1, i % 2 ? 0.02 : 0.1);
    const nlohmann::json counts =
        compared((folder / "a") + " " + (folder / "b") + " --threshold 25%")["comparisons"][0]["counts"];
    wrong += counts["slower"].get<int>() + counts["faster"].get<int>();
    equal += counts["equal"].get<int>();
    all += 10;
  }
  EXPECT_LE(wrong, 2) << "of " << all;
  EXPECT_GE(equal, 60) << "of " << all;
}

TEST(CompareCommand, OpenAndMissingCasesFailWhereThatIsAsked) {
  const TemporaryFolder folder;
  store_visited(folder / "a", 1, 0.02);
  store_visited(folder / "b", 2, 0.02);
  store_visited(folder / "loose", 3, 0.4);
  store_run(folder / "fewer", 4, [](Measurement* m) {
    if (m->what.problem.n == 60000) m->status = Status::skipped;
  });
  const auto code = [&](const std::string& other, const std::string& asked) {
    return run_sextant("compare " + (folder / "a") + " " + (folder / other) + " --fail-on " + asked).code;
  };
  EXPECT_EQ(code("b", "open,missing,regression --threshold 20%"), 0);
  EXPECT_EQ(code("loose", "regression"), 0);
  EXPECT_EQ(code("loose", "open"), 4);
  EXPECT_EQ(code("fewer", "regression"), 0);
  EXPECT_EQ(code("fewer", "regression,missing"), 4);
  const std::string said = run_sextant("compare " + (folder / "a") + " " + (folder / "fewer")).out;
  const std::string last = said.substr(said.rfind('\n', said.size() - 2) + 1);
  EXPECT_TRUE(last.starts_with("Not judged: ") && last.find("of 10 cases") != std::string::npos &&
              last.find("1 missing on a side") != std::string::npos)
      << last;
}

TEST(CompareCommand, BrokenRepairedAndMissingAreSaid) {
  const TemporaryFolder folder;
  const auto spoil = [](std::int64_t wrong, std::int64_t skipped) {
    return [=](Measurement* m) {
      if (m->what.problem.n != wrong && m->what.problem.n != skipped) return;
      m->status = m->what.problem.n == wrong ? Status::wrong : Status::skipped;
      m->reason = "element 7 is off";
      m->call_times.clear();
    };
  };
  store_run(folder / "a", 1, spoil(60000, 0));
  store_run(folder / "b", 2, spoil(30000, 300000));
  const std::string both = (folder / "a") + " " + (folder / "b");
  const nlohmann::json all = compared(both + " --fail-on regression", 4);
  EXPECT_EQ(case_of(all, 30000)["verdict"], "broken");
  EXPECT_NE(case_of(all, 30000)["reason"].get<std::string>().find("element 7"), std::string::npos);
  EXPECT_EQ(case_of(all, 60000)["verdict"], "repaired");
  ASSERT_EQ(all["missing"].size(), 1u);
  EXPECT_EQ(all["missing"][0]["n"], 300000);
  EXPECT_EQ(all["missing"][0]["missing_on"][0], folder / "b");
  const Outcome table = run_sextant("compare " + both);
  const Outcome markdown = run_sextant("compare --format md " + both);
  test::expect_golden(test::replaced(table.out + "\n" + markdown.out, folder / "", ""),
                      "present/compare_broken");
}

TEST(CompareCommand, GpusAndMachinesAreMatchedSensibly) {
  const TemporaryFolder folder;
  const auto store = [&](const std::string& name, const std::string& machine,
                         std::vector<std::string> devices) {
    ResultsFile file(folder / name, ResultsFile::Mode::write);
    const std::int64_t id = file.begin_session(make_session(machine, "2024-05-01T10:00:" + name));
    for (const std::string& device : devices) {
      Measurement m =
          make_measurement(make_case("triad", "cuda.tuned", 30000, ElementType::float32, {{"b", 1}}), 1e-3);
      m.what.device = device;
      file.add(id, m);
    }
  };
  store("1", "alpha", {"gpu0"});
  store("2", "beta", {"gpu3"});
  store("3", "alpha", {"gpu0", "gpu1"});
  store("4", "gamma", {"gpu1"});
  EXPECT_EQ(compared((folder / "1") + " " + (folder / "2"))["comparisons"][0]["cases"].size(), 1u);
  EXPECT_EQ(compared((folder / "3") + " " + (folder / "4"))["comparisons"][0]["cases"][0]["device"], "gpu1");
  EXPECT_EQ(run_sextant("merge " + (folder / "1") + " " + (folder / "2") + " -o " + (folder / "all")).code,
            0);
  const Outcome refused = run_sextant("compare " + (folder / "all") + " " + (folder / "4"));
  EXPECT_EQ(refused.code, 2);
  test::expect_golden(test::replaced(refused.err, folder / "", ""), "present/compare_refusals:machines");
}

TEST(CompareCommand, RefusesWhatCannotBeCompared) {
  const TemporaryFolder folder;
  store_run(folder / "a", 1);
  store_run(folder / "b", 2);
  store_run(folder / "other", 3, [](Measurement* m) { m->what.kernel = "copy"; });
  std::ofstream(folder / "text") << "no results\n";
  std::filesystem::copy_file(folder / "a", folder / "copy");
  const std::string damaged = test::content_of(folder / "a");
  std::ofstream(folder / "damaged") << damaged.substr(0, damaged.size() / 2);
  const std::string a = folder / "a", b = folder / "b";
  std::string said;
  for (const std::string& arguments :
       {std::string(), a, a + " " + a, a + " " + (folder / "./a"), a + " " + (folder / "copy"),
        a + " " + (folder / "other"), a + " " + (folder / "none"), a + " " + (folder / "text"),
        a + " " + (folder / "damaged"), a + ",, " + b, a + " " + b + " --threshold 5x",
        a + " " + b + " --threshold=-1%", a + " " + b + " --fail-on noise", a + " " + b + " -k copy"}) {
    const Outcome outcome = run_sextant("compare " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    said += outcome.err;
  }
  test::expect_golden(test::replaced(said, folder / "", ""), "present/compare_refusals:files");
}

TEST(CompareCommand, MoreThanTwoSidesAndAFile) {
  const TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) store_run(folder / std::to_string(i), i);
  const std::string all = (folder / "0") + " " + (folder / "1") + " " + (folder / "2");
  EXPECT_EQ(compared(all)["comparisons"].size(), 2u);
  EXPECT_EQ(run_sextant("compare " + all + " -o " + (folder / "out")).code, 0);
  EXPECT_EQ(test::content_of(folder / "out"), run_sextant("compare " + all).out);
}

TEST(GoogleBenchmark, HasTheLayoutThatItsToolsRead) {
  const TemporaryFolder folder;
  store_run(folder / "a", 1, [](Measurement* m) {
    if (m->what.problem.n == 30000) m->call_times = test::samples_around(1e-3, 101);
    if (m->what.problem.n == 60000) m->status = Status::failed;
  });
  const Outcome outcome = run_sextant("export --format google-benchmark " + (folder / "a"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const nlohmann::json all = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(all["context"]["host_name"], "alpha");
  ASSERT_EQ(all["context"]["left_out"].size(), 1u);
  EXPECT_EQ(all["context"]["left_out"][0]["name"], "triad/serial.baseline/float/60000");
  std::size_t iterations = 0, aggregates = 0;
  for (const auto& entry : all["benchmarks"]) {
    EXPECT_NE(entry["run_name"], "triad/serial.baseline/float/60000");
    if (entry["run_name"] != "triad/serial.baseline/float/30000") continue;
    EXPECT_EQ(entry["time_unit"], "ns");
    EXPECT_EQ(entry["cpu_time"], entry["real_time"]);
    if (entry["run_type"] == "iteration") {
      EXPECT_EQ(entry["name"], entry["run_name"]);
      EXPECT_EQ(entry["repetition_index"], iterations++);
    } else {
      ++aggregates;
    }
    if (entry["name"] == "triad/serial.baseline/float/30000_median") {
      EXPECT_DOUBLE_EQ(entry["real_time"], 1e6);
      EXPECT_DOUBLE_EQ(entry["bytes_per_second"], 120000 / 1e-3);
      EXPECT_EQ(entry["iterations"], 101);
    }
  }
  EXPECT_EQ(iterations, 25u);
  EXPECT_EQ(aggregates, 4u);
}

}  // namespace
}  // namespace sextant
