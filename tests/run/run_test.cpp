// Tests of `sextant run` as a user calls it (rows, results file, resuming, interruption, time limit, shards),
// and of its components.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "cli_process.hpp"
#include "engine/form/warnings.hpp"
#include "golden.hpp"
#include "plan/plan.hpp"
#include "present/measurement_rows.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"
#include "run/dry_run.hpp"
#include "run/held.hpp"
#include "run/judged_executor.hpp"
#include "run/progress.hpp"
#include "run/sweep.hpp"
#include "run/too_fast.hpp"
#include "run/visits.hpp"
#include "run/without_gpu.hpp"
#include "sample_results.hpp"
#include "stand_in_power.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Arguments quick(const std::string& file, const Arguments& more = {}) {
  Arguments arguments = {"run", "-o", file, "--no-ceilings", "--samples", "2:3", "-k", "triad"};
  if (std::find(more.begin(), more.end(), "-v") == more.end())
    arguments.insert(arguments.end(), {"-v", "serial"});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Results load(const std::string& file) { return ResultsFile(file, ResultsFile::Mode::read).load(); }

TEST(Run, SaysWhereItsTimeWentIfAsked) {
  const Folder folder;
  const Ran ran = run_sextant(quick(folder.path("r.sextant"), {"-n", "300", "--timings"}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* stage : {"looking at the machine", "checking", "sampling", "visits on the CPU",
                            "storing and printing", "in all"})
    EXPECT_TRUE(contains(ran.err, stage)) << ran.err;
  const Ran plain = run_sextant(quick(folder.path("s.sextant"), {"-n", "300"}));
  EXPECT_FALSE(contains(plain.err, "in all")) << plain.err;
}

// See rounds_test.cpp for the size phases of a suite.
TEST(Run, OfASuiteHasTheStudysModelsAndAQuarterOfItsSamplingTime) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments suite = {"run",      "--suite", "kernels", "-k",        "copy", "--type",
                           "float",    "-d",      "cpu",     "--samples", "2:2",  "--no-ceilings",
                           "--visits", "1",       "-o",      file};
  EXPECT_EQ(run_sextant(suite).exit_code, 0);
  const Results results = load(file);
  EXPECT_EQ(value_of(results.sessions.front().environment, "run.case_seconds"), "0.050000");
  EXPECT_EQ(value_of(results.sessions.front().environment, "run.max_noise"), "0.020000");
  std::set<std::string> models;
  for (const StoredMeasurement& stored : results.measurements)
    models.insert(model_of(stored.measurement.what.variant));
  EXPECT_TRUE(models.contains("serial") && models.contains("openmp"));
  EXPECT_FALSE(models.contains("stdpar"));
  const Ran again = run_sextant(suite);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(load(file).sessions.size(), 1u);  // the remaining cases are left out, so no session begins
}

TEST(Run, StoresEveryCaseAndPrintsItsRow) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Ran ran = run_sextant(quick(file, {"-n", "300,3001"}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "8 ok; in " + file)) << ran.err;
  // Replaces the columns that depend on whether calls on fresh inputs were slower.
  const std::regex known(" (few|0 %|> 0 %|-|) ?0 B/s");
  test::expect_golden(std::regex_replace(test::without_numbers(ran.out), known, " ± 0 B/s"), "run/run_triad");
  const Results results = load(file);
  ASSERT_EQ(results.measurements.size(), 8u);
  for (const StoredMeasurement& stored : results.measurements) {
    EXPECT_EQ(stored.measurement.status, Status::ok);
    const Measurement& one = stored.measurement;
    const std::vector<double>& sampled = one.seen_times.empty() ? one.call_times : one.seen_times;
    EXPECT_GE(sampled.size(), 2u);
    EXPECT_LE(sampled.size(), 3u);
  }
  ASSERT_EQ(results.sessions.size(), 1u);
  EXPECT_TRUE(contains(results.sessions[0].command, " run -o " + file)) << results.sessions[0].command;
  EXPECT_TRUE(results.sessions[0].environment.contains("machine"));
  const KernelDescriptions& kernels = results.sessions[0].kernels;
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels.at("triad").group, "stream");
}

TEST(Run, StoresWhichTuningIsTheDefault) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Ran ran = run_sextant({"run", "-o", file, "--no-ceilings", "--samples", "2:3", "-k", "heat3d_r1",
                               "-v", "openmp.simd", "-n", "64x33x9", "--type", "float", "-t", "all"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Variant& variant = *find_variant(*find_kernel("heat3d_r1"), "openmp.simd");
  int standard = 0;
  const Results results = load(file);
  ASSERT_GT(results.measurements.size(), 1u);
  for (const StoredMeasurement& stored : results.measurements) {
    const Measurement& m = stored.measurement;
    ASSERT_TRUE(m.standard_tuning) << tuning_text(m.what.tuning);
    EXPECT_EQ(*m.standard_tuning, m.what.tuning == default_tuning(variant, m.what.problem));
    standard += *m.standard_tuning;
  }
  EXPECT_EQ(standard, 1);
}

TEST(Run, ContinuesWhereItStopped) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  EXPECT_EQ(run_sextant(quick(file, {"-n", "300"})).exit_code, 0);
  const Ran more = run_sextant(quick(file, {"-n", "300,3001", "--json"}));
  EXPECT_EQ(more.exit_code, 0) << more.err;
  EXPECT_TRUE(contains(more.err, "already holds 4 of the 8 cases")) << more.err;
  const Json rows = Json::parse(more.out);
  ASSERT_EQ(rows.size(), 4u);
  for (const Json& row : rows) EXPECT_EQ(row["n"], 3001);
  const Ran none = run_sextant(quick(file, {"-n", "300,3001", "--json"}));
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_EQ(Json::parse(none.out).size(), 0u);
  const Ran fresh = run_sextant(quick(file, {"-n", "300", "--fresh", "--json"}));
  EXPECT_EQ(Json::parse(fresh.out).size(), 4u);
  EXPECT_EQ(load(file).measurements.size(), 8u);  // replaced, not stored twice
}

TEST(Run, TimesCallsAfterPausesIfAsked) {
  const Folder folder;
  const std::string file = folder.path("r.sextant"), plain = folder.path("plain.sextant");
  const Arguments one = {"-n", "7936", "-v", "serial.native", "--type", "float"};
  const auto with = [&](const std::string& path, const char* gap) {
    Arguments all = quick(path, one);
    if (gap) all.insert(all.end(), {"--gap", gap});
    return run_sextant(all);
  };
  ASSERT_EQ(with(file, "2ms").exit_code, 0);
  ASSERT_EQ(with(plain, nullptr).exit_code, 0);
  const Measurement m = load(file).measurements.at(0).measurement;
  EXPECT_EQ(m.gap, 0.002);
  EXPECT_EQ(m.gap_times.size(), 11u);
  EXPECT_TRUE(m.gap_device_times.empty()) << "the CPU has no device time";
  EXPECT_GT(median_interval(m.gap_times).median, 0);
  EXPECT_LT(median_interval(m.gap_times).minimum, 0.002) << "the pause itself does not count";
  EXPECT_TRUE(load(plain).measurements.at(0).measurement.gap_times.empty());
  const Ran refused = with(file, "20s");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "--gap 20s is too long")) << refused.err;
}

TEST(Run, MeasuresTheEnergyOfCallsIfAsked) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments one = {"-n", "7936", "-v", "serial.native", "--type", "float", "--energy"};
  {
    const StandInPower power(folder.path("powercap"), 50);
    ASSERT_EQ(run_sextant(quick(file, one)).exit_code, 0);
    const Measurement m = load(file).measurements.at(0).measurement;
    ASSERT_EQ(m.energies.size(), 6u);
    std::vector<double> watts;
    for (std::size_t i = 0; i < 6; ++i) watts.push_back(m.energies[i] / m.energy_times.at(i));
    EXPECT_NEAR(median_interval(watts).median, 50, 5);
    EXPECT_GE(m.energy_window, 0.5);
    EXPECT_NEAR(m.idle_power.value_or(0), 50, 5);
    const Ran again = run_sextant(quick(file, one));
    EXPECT_TRUE(contains(again.err, "already holds")) << again.err;
    EXPECT_EQ(load(file).measurements.at(0).measurement.timestamp, m.timestamp);
  }
  const std::string plain = folder.path("plain.sextant");
  ASSERT_EQ(run_sextant(quick(plain, {"-n", "7936", "-v", "serial", "--type", "float"})).exit_code, 0);
  EXPECT_TRUE(load(plain).measurements.at(0).measurement.energies.empty());
}

// A file without energy is measured again where it can be known. Where it cannot, one case says why.
TEST(Run, AddsTheEnergyToAFileIfItCanBeKnown) {
  const Folder folder;
  const std::string file = folder.path("r.sextant"), powercap = folder.path("powercap");
  ::setenv("SEXTANT_POWERCAP", powercap.c_str(), 1);
  const Arguments one = {"-n", "7936", "-v", "serial.native,serial.baseline", "--type", "float"};
  Arguments energy = one;
  energy.emplace_back("--energy");
  ASSERT_EQ(run_sextant(quick(file, energy)).exit_code, 0);
  int warnings = 0;
  for (const StoredMeasurement& stored : load(file).measurements)
    for (const std::string& text : stored.measurement.warnings)
      warnings += contains(text, "the energy of calls is not known (there is no energy counter");
  EXPECT_EQ(warnings, 1);
  EXPECT_TRUE(contains(run_sextant(quick(file, energy)).err, "already holds")) << "it is still not known";
  const std::string plain = folder.path("plain.sextant");
  Arguments native = {"-n", "7936", "-v", "serial.native", "--type", "float"};
  ASSERT_EQ(run_sextant(quick(plain, native)).exit_code, 0);
  const StandInPower power(powercap, 50);
  native.insert(native.end(), {"--energy", "--energy-window", "700ms"});
  ASSERT_EQ(run_sextant(quick(plain, native)).exit_code, 0);
  EXPECT_EQ(load(plain).measurements.at(0).measurement.energies.size(), 6u);
  EXPECT_GE(load(plain).measurements.at(0).measurement.energy_window, 0.7);
}

TEST(Run, RefusesWindowsInWhichTheEnergyIsNotExact) {
  const Folder folder;
  const Ran refused =
      run_sextant(quick(folder.path("r.sextant"), {"-n", "300", "--energy", "--energy-window", "0.1s"}));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "--energy-window 0.1s is not between 0.5s and 3s")) << refused.err;
  const Ran without = run_sextant(quick(folder.path("r.sextant"), {"-n", "300", "--energy-window", "1s"}));
  EXPECT_TRUE(contains(without.err, "--energy-window has no effect without --energy")) << without.err;
}

TEST(Run, AsksForASteadyStateThatCanBeReached) {
  const Folder folder;
  for (const char* time : {"5s", "20m"}) {
    const Ran refused = run_sextant(quick(folder.path("r.sextant"), {"-n", "300", "--steady", time}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_TRUE(contains(refused.err, std::string("--steady ") + time + " is not between 15s and 10m"))
        << refused.err;
  }
  const Ran on_cpu =
      run_sextant(quick(folder.path("r.sextant"), {"-n", "300", "-v", "serial", "--steady", "15s"}));
  EXPECT_EQ(on_cpu.exit_code, 0) << on_cpu.err;
  EXPECT_FALSE(load(folder.path("r.sextant")).measurements.at(0).measurement.steady_after)
      << "the CPU has no state";
}

TEST(Run, FillsInputsWithTheNumbersThatAreAskedFor) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments one = {"-n", "7936", "-v", "serial.baseline", "--type", "float"};
  const auto with = [&](const Arguments& more) {
    Arguments all = quick(file, one);
    all.insert(all.end(), more.begin(), more.end());
    return run_sextant(all);
  };
  const Ran plain = with({});
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_FALSE(contains(plain.out, "inputs")) << plain.out;
  const Ran zeros = with({"--fill", "zeros", "-k", "dot"});
  ASSERT_EQ(zeros.exit_code, 0) << zeros.err;
  EXPECT_TRUE(contains(zeros.out, "zeros")) << zeros.out;
  EXPECT_TRUE(contains(zeros.err, "--fill zeros leaves out dot")) << zeros.err;
  const Ran held = with({"--fill", "zeros", "--json"});
  EXPECT_EQ(Json::parse(held.out).size(), 0u);
  const Results results = load(file);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_EQ(results.measurements[0].measurement.what.fill, InputFill::uniform);
  EXPECT_EQ(results.measurements[1].measurement.what.fill, InputFill::zeros);
  EXPECT_EQ(results.measurements[1].measurement.status, Status::ok);
  const auto shown = [&](const char* table) { return run_sextant({"show", file, "--by", table}).out; };
  EXPECT_TRUE(contains(shown("variants"), "triad float, inputs all zeros on")) << shown("variants");
  EXPECT_TRUE(contains(shown("verdict"), "zeros")) << shown("verdict");
  EXPECT_TRUE(contains(run_sextant({"show", file}).out, "1 case: every result was right"));
  const std::string filled = folder.path("f.sextant");
  ASSERT_EQ(run_sextant(quick(filled, {"-n", "300", "--fill", "normal"})).exit_code, 0);
  const std::string advice = run_sextant({"show", filled}).out;
  EXPECT_TRUE(contains(advice, "advice leaves out the cases of `sextant run --fill`")) << advice;
  const Ran refused = run_sextant({"run", "-k", "dot", "--fill", "zeros", "-o", file});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "--fill zeros cannot fill the inputs of dot")) << refused.err;
}

TEST(Run, TakesBaselinesForSpeedUpsFromTheFile) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  run_sextant(quick(file, {"-n", "300", "-v", "serial.baseline", "--type", "float"}));
  const Json rows = Json::parse(run_sextant(quick(file, {"-n", "300", "--type", "float", "--json"})).out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["variant"], "serial.native");
  EXPECT_TRUE(rows[0]["speedup_serial"].is_number());
}

TEST(Run, GivesRawNumbersAsJson) {
  const Folder folder;
  const Ran ran = run_sextant(quick(folder.path("r.sextant"), {"-n", "300", "--type", "double", "--json"}));
  const Json row = Json::parse(ran.out).at(0);
  EXPECT_EQ(row["kernel"], "triad");
  EXPECT_EQ(row["type"], "double");
  EXPECT_EQ(row["status"], "ok");
  EXPECT_EQ(row["device"], "cpu");
  EXPECT_GT(row["call_time_median"].get<double>(), 0);
  EXPECT_LE(row["call_time_low"].get<double>(), row["call_time_median"].get<double>());
  EXPECT_DOUBLE_EQ(row["speedup_serial"].get<double>(), 1);
  EXPECT_NEAR(row["bandwidth"].get<double>() * row["call_time_median"].get<double>(), 300 * 8, 1e-6);
  EXPECT_TRUE(row["device_time_median"].is_null());
}

// Sizes for so many cases that a signal interrupts the run, and the number of these cases.
const char* const many_sizes = "1000:3000:+1";
constexpr std::size_t many_cases = 4 * 2001;

TEST(Run, EndsWithTheCaseInHandWhenInterruptedAndContinues) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder;
    const std::string file = folder.path("r.sextant");
    const Arguments arguments = quick(file, {"-n", many_sizes, "--samples", "50:60"});
    const Ran ran = interrupt_sextant(arguments, "serial.native", signal);
    EXPECT_EQ(ran.exit_code, 128 + signal) << ran.err;
    EXPECT_TRUE(contains(ran.err, "interrupted: ")) << ran.err;
    EXPECT_TRUE(contains(ran.err, "The same command continues")) << ran.err;
    const std::size_t stored = load(file).measurements.size();
    EXPECT_GE(stored, 2u);
    EXPECT_LT(stored, many_cases);
    const Ran rest = run_sextant(quick(file, {"-n", many_sizes, "--dry-run"}));
    EXPECT_EQ(rest.exit_code, 0);
  }
}

TEST(Run, APartIsContinuedByTheBuildThatBeganItAlone) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  EXPECT_EQ(run_sextant(quick(file, {"-n", "300,3001", "--shard", "1/2"})).exit_code, 0);
  EXPECT_EQ(run_sextant(quick(file, {"-n", "300,3001", "--shard", "1/2"})).exit_code, 0);
  {
    const Results results = load(file);
    Session other = results.sessions.front();
    other.started = "2026-01-01T00:00:00Z";
    other.environment["git_revision"] = "another";
    ResultsFile changed(file, ResultsFile::Mode::write);
    changed.add(changed.begin_session(other), results.measurements.front().measurement);
  }
  const Ran refused = run_sextant(quick(file, {"-n", "300,3001", "--shard", "1/2"}));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "revision another")) << refused.err;
  EXPECT_EQ(run_sextant(quick(file, {"-n", "300,3001"})).exit_code,
            0);  // without shards, nothing depends on the plan
}

TEST(Run, LosesNothingThatWasStoredWhenKilled) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Ran ran = interrupt_sextant(quick(file, {"-n", many_sizes}), "serial.native", SIGKILL);
  EXPECT_EQ(ran.exit_code, 128 + SIGKILL);
  const Results killed = load(file);
  EXPECT_GE(killed.measurements.size(), 2u);
  EXPECT_LT(killed.measurements.size(), many_cases);
  // Counts the stored cases among the first 31 sizes.
  const auto held = static_cast<std::size_t>(
      std::count_if(killed.measurements.begin(), killed.measurements.end(),
                    [](const StoredMeasurement& one) { return one.measurement.what.problem.n <= 1030; }));
  EXPECT_GE(held, 2u);
  const Ran rest = run_sextant(quick(file, {"-n", "1000:1030:+1"}));
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_TRUE(contains(rest.err, "holds " + std::to_string(held) + " of the 124")) << rest.err;
  EXPECT_EQ(load(file).measurements.size(), killed.measurements.size() + 124 - held);
}

TEST(Run, StopsWhenTheBudgetIsSpent) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Ran ran = run_sextant(quick(file, {"-n", "1000:9000:+1", "--budget", "500ms"}));
  EXPECT_EQ(ran.exit_code, 6) << ran.err;
  EXPECT_TRUE(contains(ran.err, "the budget is spent: ")) << ran.err;
  EXPECT_GT(load(file).measurements.size(), 0u);
}

TEST(Run, ShardsCoverThePlanOnce) {
  const Folder folder;
  std::set<std::string> keys;
  std::size_t all = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const std::string file = folder.path(std::string("s") + shard[0]);
    EXPECT_EQ(run_sextant(quick(file, {"-n", "300:309:+1", "--shard", shard})).exit_code, 0);
    std::map<std::string, int> baselines;
    for (const StoredMeasurement& stored : load(file).measurements) {
      keys.insert(key_of(stored.measurement.what));
      ++all;
      baselines[std::to_string(stored.measurement.what.problem.n) +
                name_of(stored.measurement.what.problem.type)]++;
    }
    for (const auto& [problem, count] : baselines) EXPECT_EQ(count, 2) << problem << " is torn apart";
  }
  EXPECT_EQ(all, 40u);
  EXPECT_EQ(keys.size(), 40u);
}

TEST(Run, SaysHowMuchThereIsToDoWithoutDoingIt) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Ran ran = run_sextant(quick(file, {"-n", "300,3001", "--dry-run", "--json"}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Json rows = Json::parse(ran.out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["cases"], 8);
  EXPECT_GT(rows[0]["seconds"].get<double>(), 0);
  EXPECT_FALSE(std::ifstream(file).good());
}

// The variants of a problem share one reference result. If values are published, no reference is computed.
// Uses a made-up machine, because estimates for the real one grow with its load.
TEST(Run, GuessesThatAReferenceIsComputedOnce) {
  const auto guess = [](Selection problem, const std::vector<std::string>& variants) {
    problem.variants = variants;
    const Environment machine = {{"machine", "here"}, {"load", "0"}, {"cpu.usable", "2"}};
    const Table table = dry_run_table(plan(problem, nullptr), {}, machine);
    return std::get<double>(table.rows.at(0).back().value);
  };
  Selection stencil;
  stencil.kernels = {"heat3d_r4"};
  stencil.shapes = {{256, 256, 1024}};
  stencil.parameters = {{"steps", {240}}};
  stencil.types = {ElementType::float32};
  EXPECT_LT(guess(stencil, {"openmp.simd", "openmp.streaming"}),
            0.9 * (guess(stencil, {"openmp.simd"}) + guess(stencil, {"openmp.streaming"})));
  Selection named;
  named.kernels = {"npb_ep"};
  named.classes = {"A"};
  EXPECT_NEAR(guess(named, {"serial.native", "openmp.simd"}),
              guess(named, {"serial.native"}) + guess(named, {"openmp.simd"}), 1e-6);
}

TEST(Run, VisitsWhatItsComparisonsNeedInFurtherProcesses) {
  const Folder folder;
  const auto run = [&](const std::string& file, const Arguments& more) {
    Arguments arguments = {"run",
                           "-o",
                           folder.path(file),
                           "--no-ceilings",
                           "--no-transfers",
                           "--samples",
                           "6:9",
                           "-k",
                           "triad",
                           "-v",
                           "serial.native,openmp.simd",
                           "-n",
                           "3000000"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_sextant(arguments);
  };
  const Ran ran = run("a", {"--visits", "3"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "2 more processes measured ")) << ran.err;
  const Results results = load(folder.path("a"));
  EXPECT_EQ(value_of(results.sessions.front().environment, most_visits_key), "3");
  std::size_t visited = 0;
  for (const StoredMeasurement& one : results.measurements) {
    visited += !one.measurement.visits.empty();
    for (const Visit& visit : one.measurement.visits) {
      EXPECT_GE(visit.process, 1);
      EXPECT_LE(visit.process, 2);
      EXPECT_FALSE(visit.call_times.empty());
      EXPECT_LE(visit.call_times.size(), 15u);
    }
  }
  EXPECT_EQ(visited, 4u) << "both models, floats and doubles";
  EXPECT_EQ(run("b", {"--visits", "1"}).exit_code, 0);
  for (const StoredMeasurement& one : load(folder.path("b")).measurements)
    EXPECT_TRUE(one.measurement.visits.empty());
}

Measurement stay(const std::string& variant, double seconds, std::int64_t n = 1000) {
  Measurement m = test::make_measurement(test::make_case("triad", variant, n), seconds);
  m.call_times.assign(10, seconds);
  return m;
}

std::set<std::string> variants_of(const std::vector<Case>& cases) {
  std::set<std::string> variants;
  for (const Case& what : cases) variants.insert(what.variant);
  return variants;
}

TEST(VisitsOfARun, AreOfTheFastestOfEachModelThatMayBeTheFastest) {
  Visits visits;
  visits.add(stay("serial.baseline", 3e-3));
  visits.add(stay("serial.native", 1.1e-3));
  visits.add(stay("openmp.simd", 1e-3));
  visits.add(stay("stdpar.transform", 9e-3));
  Measurement wrong = stay("library.openblas", 0.5e-3);
  wrong.status = Status::wrong;
  visits.add(wrong);
  EXPECT_EQ(variants_of(visits.next(0.06, false)), (std::set<std::string>{"openmp.simd", "serial.native"}));
  EXPECT_TRUE(visits.next(0.001, false).empty()) << "no time for them";
  EXPECT_EQ(variants_of(visits.next(0.12, false)), (std::set<std::string>{"openmp.simd", "serial.native"}))
      << "time is kept for their later visits";
  const std::set<std::string> right = {"openmp.simd", "serial.baseline", "serial.native", "stdpar.transform"};
  EXPECT_EQ(variants_of(visits.next(10, false)), right) << "the others where there is time";
}

TEST(VisitsOfARun, EndWhereAProblemIsSettled) {
  Visits visits;
  visits.add(stay("serial.native", 2e-3));
  visits.add(stay("openmp.simd", 1e-3));
  visits.add(stay("serial.native", 1.01e-3, 2000));
  visits.add(stay("openmp.simd", 1e-3, 2000));
  for (int process = 1; process <= 2; ++process)
    for (const Measurement& m : {stay("serial.native", 2e-3), stay("openmp.simd", 1e-3)})
      ASSERT_TRUE(visits.add(process, m));
  const std::vector<Case> next = visits.next(0.06, false);
  EXPECT_EQ(next.size(), 2u);
  for (const Case& what : next) EXPECT_EQ(what.problem.n, 2000);
  EXPECT_EQ(visits.visited(), 4u);
  const std::map<Decision, std::size_t> expected = {{Decision::faster, 1}, {Decision::open, 1}};
  EXPECT_EQ(visits.decisions(), expected);
}

TEST(VisitsOfARun, KeepTheStateOfEachVisit) {
  Visits visits;
  Measurement first = stay("cuda.tuned", 1e-3);
  first.states = {{0, {{5, 1.98e9, false}}, 500.0, {}, ""}};
  visits.add(first);
  Measurement visit = stay("cuda.tuned", 1e-3);
  visit.states = {{0, {{3, 1.71e9, {}}}, {}, {}, ""}};
  const std::optional<Measurement> both = visits.add(4, visit);
  ASSERT_TRUE(both);
  ASSERT_EQ(both->states.size(), 2u);
  EXPECT_EQ(both->states[1].process, 4);
  EXPECT_EQ(both->states[1].groups.at(0).clock, 1.71e9);
}

TEST(VisitsOfARun, SayHowManyTimesAreWideAndWhatMoreWouldTake) {
  Visits visits;
  EXPECT_EQ(visits.widths().timed, 0u);
  visits.add(stay("serial.native", 1.02e-3));
  visits.add(stay("openmp.simd", 1e-3));
  Measurement few = stay("serial.baseline", 3e-3);
  few.call_times = {3e-3, 3e-3};
  visits.add(few);
  EXPECT_EQ(visits.widths().timed, 2u);
  EXPECT_EQ(visits.widths().wide, 2u) << "what processes usually differ by";
  EXPECT_EQ(visits.widths().few, 1u);
  EXPECT_GT(visits.seconds_to_decide(), 0);
  for (int process = 1; process <= 7; ++process)
    for (const Measurement& m : {stay("serial.native", 2e-3), stay("openmp.simd", 1e-3)})
      ASSERT_TRUE(visits.add(process, m));
  EXPECT_EQ(visits.last_process(), 7);
  EXPECT_EQ(visits.seconds_to_decide(), 0) << "it is decided";
  EXPECT_TRUE(visits.next(10, true).empty());
  EXPECT_FALSE(visits.next(10, false).empty());
}

TEST(Run, DecideVisitsOpenProblemsOfTheFileAgain) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {
        "run", "-k",    "triad",         "-v", "openmp.simd,openmp.streaming",
        "-n",  "30000", "--no-ceilings", "-o", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_sextant(arguments);
  };
  const auto fewest_processes = [&] {
    std::size_t fewest = 1000;
    for (const StoredMeasurement& stored : ResultsFile(file, ResultsFile::Mode::read).load().measurements)
      fewest = std::min(fewest, stored.measurement.visits.size() + 1);
    return fewest;
  };
  EXPECT_EQ(run({"--visits", "1"}).exit_code, 0);
  EXPECT_EQ(fewest_processes(), 1u);
  const Ran decided = run({"--decide"});
  EXPECT_EQ(decided.exit_code, 0) << decided.err;
  EXPECT_TRUE(contains(decided.err, "more processes measured")) << decided.err;
  EXPECT_GE(fewest_processes(), 3u);
  const std::size_t rows = ResultsFile(file, ResultsFile::Mode::read).load().measurements.size();
  EXPECT_EQ(rows, 4u) << "two variants of two types, no row twice";
  const Ran gone = run({"--noisy"});
  EXPECT_EQ(gone.exit_code, 2);
  EXPECT_TRUE(contains(gone.err, "--decide")) << gone.err;
}

TEST(VisitsOfARun, FindWhatIsWrongInALaterProcess) {
  Visits visits;
  visits.add(stay("serial.native", 2e-3));
  visits.add(stay("openmp.simd", 1e-3));
  Measurement wrong = stay("openmp.simd", 1e-3);
  wrong.status = Status::wrong;
  wrong.reason = "a[3] is 0";
  const std::optional<Measurement> ended = visits.add(1, wrong);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->status, Status::wrong);
  EXPECT_EQ(ended->reason, "right in its first process, wrong in a later one: a[3] is 0");
  EXPECT_TRUE(ended->call_times.empty());
  EXPECT_EQ(variants_of(visits.next(10, false)), std::set<std::string>{"serial.native"});
}

TEST(Run, IsSilentIfAskedToBe) {
  const Folder folder;
  const Ran ran = run_sextant(quick(folder.path("r.sextant"), {"-n", "300,1", "-q"}));
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(contains(ran.out, "triad"));
}

TEST(Run, DrawsABarInColourOnATerminalAloneAndAsTheEnvironmentWishes) {
  const Folder folder;
  const Ran terminal = run_on_terminal(quick(folder.path("a"), {"-n", "300"}), {"TERM=xterm"});
  EXPECT_EQ(terminal.exit_code, 0) << terminal.out;
  EXPECT_TRUE(contains(terminal.out, "\r\033[K[")) << terminal.out;
  EXPECT_TRUE(contains(terminal.out, "\033[32mok")) << terminal.out;
  const Ran plain = run_on_terminal(quick(folder.path("b"), {"-n", "300"}), {"TERM=xterm", "NO_COLOR=1"});
  EXPECT_TRUE(contains(plain.out, "\r\033[K[")) << plain.out;
  EXPECT_FALSE(contains(plain.out, "\033[32m")) << plain.out;
  for (const Arguments& environment :
       {Arguments{"TERM=xterm", "CI=true"}, Arguments{"TERM=dumb"}, Arguments{}}) {
    const Ran quiet = run_on_terminal(
        quick(folder.path("c" + std::to_string(environment.size())), {"-n", "300"}), environment);
    EXPECT_FALSE(contains(quiet.out, "\033[")) << quiet.out;
  }
}

TEST(Run, ExplainsWhatIsTooLargeForTheMachine) {
  const Folder folder;
  const Ran ran = run_sextant(quick(folder.path("r.sextant"), {"-n", "2^45", "--type", "float", "--json"}));
  EXPECT_EQ(ran.exit_code, 3) << ran.err;  // it is an error if nothing is measured
  EXPECT_TRUE(contains(ran.err, "nothing was measured")) << ran.err;
  const Json rows = Json::parse(ran.out);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["status"], "skipped");
  EXPECT_TRUE(contains(rows[0]["reason"], "largest N")) << rows[0]["reason"];
}

TEST(Run, MeasuresNoCeilingsOfADeviceThatNoCaseFits) {
  const Folder folder;
  const Ran ran = run_sextant({"run", "-k", "triad", "-v", "serial.native", "-n", "2^45", "--type", "float",
                               "-o", folder.path("r.sextant")});
  EXPECT_EQ(ran.exit_code, 3) << ran.err;
  EXPECT_FALSE(contains(ran.err, "its best rates")) << ran.err;
}

TEST(Run, SaysOfAMissingGpuWhatTheListOfDevicesSays) {
  const Folder folder;
  const Ran ran = run_sextant(
      {"run", "-k", "triad", "-v", "cuda", "-n", "300", "--json", "-o", folder.path("r.sextant")});
  if (ran.exit_code != 5 || contains(ran.err, "left out of this build"))
    GTEST_SKIP() << "this build has no CUDA, or the machine has a GPU";
  const std::string reason = Json::parse(ran.out)[0]["reason"];
  ASSERT_TRUE(reason.starts_with("no usable NVIDIA GPU: ")) << reason;
  const Ran listed = run_sextant({"list", "devices"});
  EXPECT_TRUE(contains(listed.err + listed.out, "no GPU: " + reason.substr(22) + ". `sextant doctor`"))
      << listed.err;
  EXPECT_TRUE(contains(ran.err, "nothing was measured: `sextant doctor` shows remedies")) << ran.err;
}

TEST(Run, CountsInALineWhatHasNoGpuUnlessAskedForIt) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments all = {"run",       "-k",  "triad", "-n", "300",      "--type", "float",
                         "--samples", "2:2", "-o",    file, "--visits", "1",      "--no-ceilings"};
  const Ran ran = run_sextant(all);
  const Results results = load(file);
  const auto skipped = [](const StoredMeasurement& one) { return one.measurement.status == Status::skipped; };
  const auto count = std::count_if(results.measurements.begin(), results.measurements.end(), skipped);
  if (count == 0 || results.sessions[0].environment.contains("gpu0.name"))
    GTEST_SKIP() << "this build has nothing for GPUs, or the machine has one";
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "serial.baseline") && !contains(ran.out, "skipped")) << ran.out;
  EXPECT_TRUE(contains(ran.err, " skipped: this machine has no GPU (list them with -v ")) << ran.err;
  EXPECT_TRUE(contains(ran.err, std::to_string(count) + " GPU variant"))
      << ran.err;  // the file contains all GPU variants
  const std::string shown = std::regex_replace(run_sextant({"show", file}).out, std::regex("\\s+"), " ");
  EXPECT_TRUE(
      contains(shown, std::to_string(count) + " cases more were skipped because the machine has no GPU"))
      << shown;
  Arguments named = all, rows = all;
  named.insert(named.end(), {"--fresh", "-v", "serial.baseline,cuda,openacc,target"});
  EXPECT_TRUE(contains(run_sextant(named).out, "skipped: no usable NVIDIA GPU"));
  rows.insert(rows.end(), {"--fresh", "--json"});
  EXPECT_GT(Json::parse(run_sextant(rows).out).size(), static_cast<std::size_t>(count));
}

TEST(Run, MeasuresCeilingsThatTheRunsBeforeLeftOut) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments command = {"run",       "-k",  "triad",    "-v", "serial", "-n", "300",
                             "--samples", "2:2", "--visits", "1",  "-o",     file};
  Arguments without = command;
  without.emplace_back("--no-ceilings");
  ASSERT_EQ(run_sextant(without).exit_code, 0);
  EXPECT_EQ(run_sextant(without).exit_code, 0);
  EXPECT_EQ(load(file).sessions.size(), 1u);
  const Ran ran = run_sextant(command);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  ASSERT_EQ(load(file).sessions.size(), 2u) << ran.err;
  EXPECT_FALSE(load(file).sessions.back().ceilings.empty());
  EXPECT_EQ(load(file).measurements.size(), 4u);  // no case is measured again
  EXPECT_EQ(run_sextant(command).exit_code, 0);
  EXPECT_EQ(load(file).sessions.size(), 2u);
}

// A timeout is not the kernel's fault. The same command tries the case again, here with more time.
TEST(Run, FailsWhereCasesTimeOutAndTriesThemAgain) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments cases = {"-n", "30M", "--type", "float", "-v", "serial.baseline", "--json"};
  Arguments hurried = cases;
  hurried.insert(hurried.end(), {"--timeout", "1ms"});
  const Ran late = run_sextant(quick(file, hurried));
  EXPECT_EQ(late.exit_code, 3) << late.err;
  EXPECT_EQ(Json::parse(late.out).at(0)["status"], "timed_out");
  const Ran again = run_sextant(quick(file, cases));
  EXPECT_EQ(again.exit_code, 0) << again.err;
  ASSERT_EQ(Json::parse(again.out).size(), 1u) << again.err;
  EXPECT_EQ(Json::parse(again.out).at(0)["status"], "ok");
  EXPECT_EQ(load(file).measurements.size(), 1u);
}

// Class A of NPB SP has hundreds of times the operations of class S, so one call would take many seconds.
TEST(Run, KeepsWhatASmallerClassSaysWouldTakeTooLongAsNotBegun) {
  if (!find_kernel("npb_sp")) GTEST_SKIP() << "a build without the programs of NPB";
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  Arguments arguments = {
      "run", "-o",  file, "--no-ceilings",   "--visits", "1", "--samples", "1:1", "-k", "npb_sp",
      "-n",  "A,S", "-v", "serial.baseline", "--timeout"};
  arguments.emplace_back("2s");
  const Ran ran = run_sextant(arguments);
  EXPECT_EQ(ran.exit_code, 3) << ran.err;
  EXPECT_TRUE(contains(ran.out, "not begun, because class S took")) << ran.out;
  EXPECT_TRUE(contains(ran.err, "class A: 1 of 1 cases are not begun")) << ran.err;
  const Results results = load(file);
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_EQ(results.measurements[0].measurement.what.problem_class, "S");
  EXPECT_EQ(results.measurements[0].measurement.status, Status::ok);
  EXPECT_EQ(results.measurements[1].measurement.status, Status::timed_out);

  // Here, an earlier run measured class S, and class A is the only case.
  const std::string later = folder.path("later.sextant");
  arguments[2] = later;
  arguments[11] = "S";
  ASSERT_EQ(run_sextant(arguments).exit_code, 0);
  arguments[11] = "A";
  EXPECT_EQ(run_sextant(arguments).exit_code, 3);
  EXPECT_EQ(load(later).measurements.size(), 2u);
}

TEST(Run, MeasuresAgainWhatWasMeasuredWithFewerSamples) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const auto rows = [&](const char* samples) {
    return Json::parse(run_sextant(quick(file, {"-n", "300", "--json", "--samples", samples})).out).size();
  };
  EXPECT_EQ(rows("2:3"), 4u);
  EXPECT_EQ(rows("2:3"), 0u);
  EXPECT_EQ(rows("8:9"), 4u);
  EXPECT_EQ(rows("2:3"), 0u);  // the stored cases have more samples than this
}

TEST(Run, RepeatsIntoAFileASession) {
  const Folder folder;
  const Ran ran =
      run_sextant(quick(folder.path("r.sextant"), {"-n", "300", "--type", "float", "--repeat", "2"}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* name : {"r-1.sextant", "r-2.sextant"})
    EXPECT_EQ(load(folder.path(name)).measurements.size(), 2u) << name;
  EXPECT_TRUE(contains(ran.err, "r-1.sextant," + folder.path("r-2.sextant"))) << ran.err;
}

// Rows show how N was requested. Without a GPU, they have no GPU columns.
TEST(Run, SaysHowLargeTheArraysAre) {
  const Folder folder;
  const Ran ran =
      run_sextant(quick(folder.path("r.sextant"), {"-n", "1000/array,24kB", "--type", "double", "--json"}));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "1000/array is N = 3000")) << ran.err;
  const Json rows = Json::parse(ran.out);
  ASSERT_EQ(rows.size(), 2u);  // both mean N = 3000
  EXPECT_EQ(rows[0]["n"], 3000);
  EXPECT_EQ(rows[0]["extents"], "1000");
  EXPECT_EQ(rows[0]["bytes"], 24000.0);
  const Ran text = run_sextant(quick(folder.path("s.sextant"), {"-n", "300"}));
  EXPECT_TRUE(contains(text.out, "in all")) << text.out;
  EXPECT_FALSE(contains(text.out, "device time")) << text.out;
}

TEST(Run, CasesOfOtherThreadsAreOtherCases) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments both = quick(file, {"-n", "300", "-v", "serial.baseline,openmp.simd", "--type", "float"});
  const std::vector<std::string> one = {"OMP_NUM_THREADS=1"}, two = {"OMP_NUM_THREADS=2"};
  EXPECT_EQ(run_sextant(both, one).exit_code, 0);
  const Ran other = run_sextant(both, two);
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_TRUE(contains(other.err, "holds cases with other numbers of threads (1)")) << other.err;
  EXPECT_TRUE(contains(other.err, "already holds 1 of the 2 cases"))
      << other.err;  // serial code has no threads
  EXPECT_EQ(load(file).measurements.size(), 3u);
  EXPECT_TRUE(load(file).sessions.back().command.starts_with("OMP_NUM_THREADS=2 "));
  for (const auto& threads : {one, two})
    EXPECT_TRUE(contains(run_sextant(both, threads).err, "already holds 2 of the 2 cases"));
  const Ran spread = run_sextant(both, {"OMP_NUM_THREADS=2", "OMP_PROC_BIND=spread"});
  EXPECT_TRUE(contains(spread.err, "holds cases with other numbers of threads (1; 2)")) << spread.err;
  EXPECT_EQ(load(file).measurements.size(), 4u);
  Arguments fresh = both;
  fresh.emplace_back("--fresh");
  EXPECT_EQ(run_sextant(fresh, two).exit_code, 0);
  EXPECT_EQ(load(file).measurements.size(), 4u);  // cases with another number of threads remain

  const Ran csv = run_sextant({"export", file, "--format", "ndjson"});
  std::set<std::string> seen;
  std::istringstream lines(csv.out);
  for (std::string line; std::getline(lines, line);) {
    const Json row = Json::parse(line);
    if (row["model"] == "openmp") seen.insert(row["threads"].dump() + row["binding"].dump());
    EXPECT_EQ(row["threads"].is_null(), row["model"] == "serial") << line;
  }
  EXPECT_EQ(seen, (std::set<std::string>{"1null", "2null", "2\"OMP_PROC_BIND=spread\""}));
  const Ran shown = run_sextant({"show", file, "--by", "all"});
  for (const char* title : {"triad, float, 1 thread, on", "triad, float, 2 threads, on",
                            "triad, float, 2 threads OMP_PROC_BIND=spread, on"})
    EXPECT_TRUE(contains(shown.out, title)) << title << "\n" << shown.out;
  EXPECT_TRUE(contains(run_sextant({"show", file, "--by", "verdict"}).out, "threads"));
  EXPECT_TRUE(contains(run_sextant({"show", file}).out, "== 2 threads\n"));
}

TEST(Run, DefaultsOfEveryKernelArePlanned) {
  const Ran ran = run_sextant({"run", "--dry-run", "-k", ".*", "-v", "serial,openmp", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json rows = Json::parse(ran.out);
  EXPECT_GE(rows.size(), 28u);
  for (const Json& row : rows) {
    EXPECT_GT(row["cases"], 0) << row;
    EXPECT_EQ(row["without_device"], 0) << row;
    // Some variants reject these problems: per-thread tables reject many bins, bin blocks reject few bins,
    // and windows reject unrestricted indices.
    const std::string kernel = row["kernel"];
    EXPECT_TRUE(row["refused"] == 0 || kernel.starts_with("histogram_") || kernel == "scatter_random") << row;
  }
}

// Uses a hand-made machine, because the free memory of the real one varies.
TEST(Run, DefaultsOfEveryKernelFitAMachineOfSixGigabytes) {
  Selection selection;
  selection.kernels = {".*"};
  selection.variants = {"serial", "openmp"};
  const Environment machine = {{"machine", "here"}, {"memory.available", "6000000000"}};
  const Json rows = Json::parse(to_json_rows(dry_run_table(plan(selection, nullptr), {}, machine)));
  EXPECT_GE(rows.size(), 28u);
  for (const Json& row : rows)
    for (const char* why : {"too_large", "too_long"}) EXPECT_EQ(row[why], 0) << row;
}

TEST(Run, NamesWhatThisMachineCannotDoInADryRun) {
  const Ran ran = run_sextant({"run", "--dry-run", "-k", "triad", "-v", "serial", "-n", "300,2^45"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "4 will be skipped, because they need more memory than is free")) << ran.out;
  const Ran slow = run_sextant(
      {"run", "--dry-run", "-k", "triad", "-v", "serial", "-n", "30M", "--timeout", "1ms", "--json"});
  const Json row = Json::parse(slow.out).at(0);
  EXPECT_EQ(row["too_long"], 4);
  EXPECT_DOUBLE_EQ(row["seconds"].get<double>(), 0.004);
}

Case example() {
  Case what;
  what.kernel = "triad";
  what.variant = "serial.baseline";
  what.problem.n = 300;
  what.problem.extents = {100, 1, 1};
  what.device = "cpu";
  return what;
}

Outcome outcome_of(const std::vector<Status>& statuses, const char* device,
                   Ending ending = Ending::complete) {
  Outcome outcome;
  outcome.ending = ending;
  for (const Status status : statuses) {
    Measurement measurement;
    measurement.what = example();
    measurement.what.device = device;
    measurement.status = status;
    count(measurement, {{"gpu0.name", "a GPU"}}, &outcome);
  }
  return outcome;
}

TEST(Outcomes, AreExitCodes) {
  using enum Status;
  EXPECT_EQ(exit_code_of(outcome_of({ok, skipped}, "cpu")), ExitCode::ok);
  EXPECT_EQ(exit_code_of(outcome_of({}, "cpu")), ExitCode::ok);
  for (const Status bad : {wrong, failed, timed_out})
    EXPECT_EQ(exit_code_of(outcome_of({ok, bad}, "cpu")), ExitCode::check_failed) << name_of(bad);
  EXPECT_EQ(exit_code_of(outcome_of({skipped}, "cpu")), ExitCode::check_failed);
  EXPECT_EQ(exit_code_of(outcome_of({skipped}, "gpu0")), ExitCode::check_failed);  // the GPU exists
  EXPECT_EQ(exit_code_of(outcome_of({skipped}, "gpu1")), ExitCode::missing);
  EXPECT_EQ(exit_code_of(outcome_of({ok}, "cpu", Ending::budget_spent)), ExitCode::budget);
  EXPECT_EQ(exit_code_of(outcome_of({ok}, "cpu", Ending::interrupted)), ExitCode::interrupted);
  EXPECT_EQ(exit_code_of(joined(outcome_of({wrong}, "cpu"), outcome_of({ok}, "cpu"))),
            ExitCode::check_failed);
}

TEST(Outcomes, SayThatNothingCameOnlyWhereNothingDid) {
  using enum Status;
  EXPECT_EQ(nothing_came(outcome_of({wrong, wrong}, "cpu"), "checked"), "");
  EXPECT_EQ(nothing_came(outcome_of({impossible, skipped}, "cpu"), "checked"), "");
  EXPECT_EQ(nothing_came(outcome_of({ok, failed}, "cpu"), "checked"), "");
  EXPECT_EQ(nothing_came(outcome_of({}, "cpu"), "checked"), "");
  EXPECT_EQ(nothing_came(outcome_of({failed, skipped}, "cpu"), "checked"), "nothing was checked");
  EXPECT_EQ(nothing_came(outcome_of({skipped}, "gpu1"), "checked"),
            "nothing was checked: `sextant doctor` shows remedies");
}

// Returns a results file with one case of this status.
Results held_results(Status status, const std::string& reason, const std::string& device = "cpu",
                     std::vector<double> times = {}) {
  Results results;
  Session session;
  session.id = 1;
  session.environment = {{"machine", "here"}};
  results.sessions = {session};
  Measurement measurement;
  measurement.what = example();
  measurement.what.device = device;
  measurement.status = status;
  measurement.reason = reason;
  measurement.call_times = std::move(times);
  results.measurements = {{measurement, 1}};
  return results;
}

std::size_t open_cases(const Results& results, const Repeat& repeat = {}, const Settings& settings = {},
                       const Environment& environment = {{"machine", "here"}}) {
  return hold_against(results, environment, {results.measurements[0].measurement.what}, settings, repeat)
      .open.size();
}

TEST(HeldCases, AreMeasuredAgainWhereTheKernelIsNotToBlame) {
  EXPECT_EQ(open_cases(held_results(Status::timed_out, "not done after 60 s")), 1u);
  EXPECT_EQ(open_cases(held_results(Status::failed, "host memory ran out")), 1u);
  EXPECT_EQ(open_cases(held_results(Status::failed, "the worker was killed by signal 9 (Killed), while x")),
            1u);
  EXPECT_EQ(open_cases(held_results(Status::skipped, "needs 2 GB of host memory")), 1u);
  EXPECT_EQ(open_cases(held_results(Status::ok, "")), 0u);
  EXPECT_EQ(open_cases(held_results(Status::ok, ""), {.all = true}), 1u);
  for (const Status status : {Status::wrong, Status::failed}) {
    EXPECT_EQ(open_cases(held_results(status, "c[0] is off by 1")), 0u);
    EXPECT_EQ(open_cases(held_results(status, "c[0] is off by 1"), {.bad = true}), 1u);
  }
  const Results elsewhere = held_results(Status::skipped, "there is no gpu0", "gpu0");
  EXPECT_EQ(open_cases(elsewhere), 0u);  // the GPU is still missing
  EXPECT_EQ(open_cases(elsewhere, {}, {}, {{"machine", "here"}, {"gpu0.name", "a GPU"}}), 1u);
  EXPECT_EQ(open_cases(held_results(Status::ok, ""), {}, {}, {{"machine", "there"}}), 1u);
}

TEST(HeldCases, AreMeasuredAgainWithoutTheRequestedSteadyState) {
  Settings settings;
  settings.steady_seconds = 60;
  Results results = held_results(Status::ok, "", "gpu0");
  EXPECT_EQ(open_cases(results), 0u);
  EXPECT_EQ(open_cases(results, {}, settings), 1u);
  results.measurements[0].measurement.steady_after = 20;
  EXPECT_EQ(open_cases(results, {}, settings), 0u);
  EXPECT_EQ(open_cases(held_results(Status::ok, ""), {}, settings), 0u) << "the CPU has no such state";
}

TEST(HeldCases, AreMeasuredAgainWithoutTheRequestedEnergyIfItIsCounted) {
  Settings settings;
  settings.energy_windows = 6;
  const Environment counts = {{"machine", "here"}, {"gpu0.energy", "ok"}},
                    counts_not = {{"machine", "here"}, {"gpu0.energy", "the driver does not count it"}};
  Results results = held_results(Status::ok, "", "gpu0");
  Measurement& m = results.measurements[0].measurement;
  EXPECT_EQ(open_cases(results, {}, {}, counts), 0u);
  EXPECT_EQ(open_cases(results, {}, settings, counts), 1u);
  EXPECT_EQ(open_cases(results, {}, settings, counts_not), 0u);
  m.warnings = {text_of(Warning::no_energy, "a call takes 9 s, longer than 5 s")};
  EXPECT_EQ(open_cases(results, {}, settings, counts), 0u) << "it would not be known again";
  m.warnings.clear();
  m.energies = {1}, m.energy_times = {1};
  EXPECT_EQ(open_cases(results, {}, settings, counts), 0u);
}

// A search over the tunings 0 (default) to 4 that several GPUs share. The file already holds the tunings in
// `stored` with these device times in microseconds.
struct HeldSearch {
  Results results;
  std::vector<Case> cases;

  explicit HeldSearch(const std::vector<double>& stored, bool by_call = false) {
    Session session;
    session.id = 1;
    session.environment = {{"machine", "here"}};
    results.sessions = {session};
    for (int tuning = 0; tuning < 5; ++tuning)
      cases.push_back(
          test::make_case("triad", "cuda.vector", 3000, ElementType::float32, {{"block", tuning}}));
    for (std::size_t i = 0; i < stored.size(); ++i) {
      Measurement m = test::make_measurement(cases[i], 5e-6);
      m.device_times = {1e-6 * stored[i]};
      m.standard_tuning = i == 0;
      m.isolation = i == 0 ? Isolation::calls_alone : Isolation::calls_disturbed;
      if (by_call) {  // as measured on one GPU with copies
        m.isolation.reset();
        m.call_times.assign(9, 1e-6 * stored[i]);
        m.alloc_times = {1e-5};
        if (i == 0) m.end_to_end_times = {1e-4};
      }
      results.measurements.push_back({m, 1});
    }
  }
  void isolate(std::size_t tuning, Isolation isolation) {
    results.measurements[tuning].measurement.isolation = isolation;
  }
  void time_pass(std::size_t tuning) { results.measurements[tuning].measurement.end_to_end_times = {1e-4}; }
  std::vector<int> open(const Settings& settings = {}) const {
    const Held held = hold_against(results, results.sessions[0].environment, cases, settings, {});
    EXPECT_EQ(held.again, 0u);
    EXPECT_EQ(held.open.size() + held.known.size(), cases.size());
    EXPECT_EQ(held.unfinished, held.open.size() - (cases.size() - results.measurements.size()));
    std::vector<int> tunings;
    for (const Case& one : held.open) tunings.push_back(one.tuning[0].second.number);
    return tunings;
  }
};

TEST(HeldCases, TheFastestOfASearchThatWasStoppedIsMeasuredAgain) {
  HeldSearch stopped({5, 4, 2, 3});
  EXPECT_EQ(stopped.open(), (std::vector<int>{2, 4}));
  stopped.isolate(1, Isolation::undisturbed);  // long calls need no second measurement
  EXPECT_EQ(stopped.open(), (std::vector<int>{2, 4}));
  stopped.isolate(2, Isolation::calls_alone);
  EXPECT_EQ(stopped.open(), (std::vector<int>{4}));
  EXPECT_EQ(HeldSearch({1, 4, 2, 3}).open(), (std::vector<int>{4}));  // the default is the fastest

  HeldSearch before_the_last(
      {5, 4, 2, 3, 6});  // all tunings are stored, but the fastest was not yet measured in isolation
  EXPECT_EQ(before_the_last.open(), (std::vector<int>{2}));
  before_the_last.isolate(2, Isolation::calls_alone);
  EXPECT_TRUE(before_the_last.open().empty());
  // When measured again in isolation, the fastest tuning was slower than another one.
  HeldSearch ended({5, 4, 2, 1.9, 6});
  ended.isolate(2, Isolation::calls_alone);
  EXPECT_TRUE(ended.open().empty());
}

TEST(HeldCases, TheFastestOfASearchThatWasStoppedGetsItsPassFromEndToEnd) {
  HeldSearch stopped({5, 4, 2, 3}, true);
  EXPECT_EQ(stopped.open(), (std::vector<int>{2, 4}));
  EXPECT_EQ(stopped.open({.transfers = false}), (std::vector<int>{4}));
  stopped.time_pass(2);
  EXPECT_EQ(stopped.open(), (std::vector<int>{4}));
  EXPECT_EQ(HeldSearch({1, 4, 2, 3}, true).open(), (std::vector<int>{4}));  // the default is the fastest

  HeldSearch before_the_last({5, 4, 2, 3, 6}, true);
  EXPECT_EQ(before_the_last.open(), (std::vector<int>{2}));
  before_the_last.time_pass(3);  // one tuning was timed from end to end, which suffices
  EXPECT_TRUE(before_the_last.open().empty());
}

TEST(HeldCases, AreMeasuredAgainWhereMoreIsAskedFor) {
  const Results noisy = held_results(Status::ok, "", "cpu", {1, 2, 1, 2, 1, 2, 1, 2, 1, 2});
  EXPECT_EQ(open_cases(noisy), 0u);  // as noisy as its session allowed
  EXPECT_EQ(open_cases(noisy, {}, {.max_noise = 0.005}), 1u);
  EXPECT_EQ(open_cases(noisy, {}, {.min_samples = 20}), 1u);
  EXPECT_EQ(open_cases(noisy, {}, {.min_samples = 5}), 0u);
  EXPECT_EQ(open_cases(noisy, {}, {.min_samples = 10, .all_samples = true}), 0u);  // already has ten samples
  const Results slow = held_results(Status::ok, "", "cpu", {1, 1});  // its session stopped it early
  EXPECT_EQ(open_cases(slow), 0u);
  EXPECT_EQ(open_cases(slow, {}, {.all_samples = true}), 1u);
  Results cut = held_results(Status::ok, "", "cpu", {1, 1});
  cut.measurements[0].measurement.warnings = {
      "cut short: the case reached its time limit while timing phases"};
  EXPECT_EQ(open_cases(cut), 0u);
  EXPECT_EQ(open_cases(cut, {}, {.timeout = 600}), 1u);
}

TEST(Rows, ComparesWithTheBaselineOfTheSameProblemOnly) {
  Measurement measurement;
  measurement.what = example();
  measurement.status = Status::ok;
  measurement.call_times = {2, 2, 2};
  measurement.work = {.bytes_read = 200, .bytes_written = 100, .flops = 30, .items = 1};
  MeasurementRows rows({measurement.what});
  rows.row(measurement);
  measurement.what.variant = "cuda.x";
  measurement.call_times = {0.5, 0.5, 0.5};
  measurement.device_times = {0.25, 0.25};
  Table table{.title = "", .columns = rows.columns(), .rows = {rows.row(measurement)}, .note = ""};
  const Json row = Json::parse(to_json_rows(table)).at(0);
  EXPECT_EQ(row["speedup_serial"], 4.0);
  EXPECT_EQ(row["bandwidth"], 1200.0);  // computed from the device time
  EXPECT_EQ(row["flop_rate"], 120.0);
  measurement.what.problem.n = 301;
  table.rows = {rows.row(measurement)};
  EXPECT_TRUE(Json::parse(to_json_rows(table)).at(0)["speedup_serial"].is_null());
}

TEST(Rows, HaveARateOfItemsWhereNothingElseCounts) {
  Measurement measurement;
  measurement.what = example();
  measurement.status = Status::ok;
  measurement.call_times = {2, 2, 2};
  measurement.work = {.bytes_read = 0, .bytes_written = 0, .flops = 0, .items = 5000000};
  MeasurementRows rows({measurement.what});
  Table table{.title = "", .columns = rows.columns(), .rows = {rows.row(measurement)}, .note = ""};
  EXPECT_EQ(Json::parse(to_json_rows(table)).at(0)["item_rate"], 2.5e6);
  EXPECT_NE(to_text(table, false).find("0.00250 G items/s"), std::string::npos) << to_text(table, false);
}

TEST(Rows, LeavesWrongResultsOutOfSpeedUps) {
  Measurement measurement;
  measurement.what = example();
  measurement.status = Status::wrong;
  measurement.reason = "c[0] is off by 1";
  measurement.call_times = {2, 2, 2};
  MeasurementRows rows({measurement.what});
  Table table{.title = "", .columns = rows.columns(), .rows = {rows.row(measurement)}, .note = ""};
  const Json row = Json::parse(to_json_rows(table)).at(0);
  EXPECT_TRUE(row["speedup_serial"].is_null());
  EXPECT_TRUE(row["bandwidth"].is_null());
  EXPECT_EQ(row["status"], "wrong");
  EXPECT_TRUE(contains(to_text(table, false), "wrong: c[0] is off by 1"));
  measurement.what.variant = "serial.native";
  measurement.status = Status::ok;
  table.rows = {rows.row(measurement)};
  EXPECT_TRUE(Json::parse(to_json_rows(table)).at(0)["speedup_serial"].is_null());  // the baseline is wrong
}

// `-v library` also means CPU libraries, so it does not request a GPU. `-v library.cublas` does.
TEST(WithoutGpu, CountsLibrariesOfAGpuUnlessTheyAreNamed) {
  Case what = example();
  what.variant = "library.cublas", what.device = "gpu0";
  Selection selection;
  selection.variants = {"serial", "library"};
  const Environment no_gpu = {{"machine", "here"}};
  WithoutGpu counted(selection, no_gpu, false);
  EXPECT_TRUE(counted.takes(what));
  EXPECT_TRUE(contains(counted.text(), "1 GPU variant skipped")) << counted.text();
  EXPECT_TRUE(contains(counted.text(), "-v library.*")) << counted.text();
  selection.variants = {"library.cublas"};
  EXPECT_FALSE(WithoutGpu(selection, no_gpu, false).takes(what));
  EXPECT_FALSE(WithoutGpu({}, no_gpu, true).takes(what));
  what.variant = "cuda.vector";
  selection.variants = {"cuda"};
  EXPECT_FALSE(WithoutGpu(selection, no_gpu, false).takes(what));
}

Measurement timed(std::int64_t n, std::vector<double> times) {
  Measurement measurement;
  measurement.what = example();
  measurement.what.problem.n = n;
  measurement.status = Status::ok;
  measurement.call_times = std::move(times);
  return measurement;
}

std::string text_row(const Measurement& measurement) {
  MeasurementRows rows({measurement.what});
  return to_text(Table{.title = "", .columns = rows.columns(), .rows = {rows.row(measurement)}, .note = ""},
                 false);
}

TEST(Rows, NeverPrintAnAbsurdShareOfNoise) {
  Measurement wild = timed(300, {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 2e-3, 2, 2, 2, 2});
  const std::string text = text_row(wild);
  EXPECT_TRUE(contains(text, "> 1000x") && !contains(text, "119")) << text;
  EXPECT_TRUE(contains(text, "ok, 1.00 µs to 2.00 s")) << text;
  EXPECT_TRUE(contains(text_row(timed(300, {1, 1, 1})), "ok, 3 samples only"))
      << text_row(timed(300, {1, 1, 1}));
  EXPECT_FALSE(contains(text_row(timed(300, {1, 1, 1, 1, 1, 1, 1})), "samples"));
}

TEST(Rows, NameFixedDataOnceAKernel) {
  Measurement one = timed(300, {1, 1, 1, 1, 1, 1, 1});
  one.warnings = {text_of(Warning::fixed_data, "")};
  Measurement other = one;
  other.what.kernel = "other";
  MeasurementRows rows({one.what, other.what});
  const auto named = [&](const Measurement& m) {
    return contains(
        to_text(Table{.title = "", .columns = rows.columns(), .rows = {rows.row(m)}, .note = ""}, false),
        "ok, fixed data");
  };
  EXPECT_TRUE(named(one));
  EXPECT_FALSE(named(one));
  EXPECT_TRUE(named(other));
}

// A time that is too short for the device is reported in its row and at the end of the run.
TEST(TooFast, IsSaidInTheRowAndAtTheEnd) {
  Measurement measurement = timed(std::int64_t{1} << 20, std::vector<double>(10, 1e-9));
  measurement.what.device = "cpu";
  measurement.work = {.bytes_read = 1 << 20, .bytes_written = 1 << 20, .flops = 0, .items = 1};
  const std::vector<Ceiling> ceilings = {{"cpu", "read", 1000, 1e9}, {"cpu", "copy", 1000, 1e9}};
  TooFast too_fast({});
  EXPECT_EQ(too_fast.doubt(measurement), "");
  too_fast.know(ceilings);
  EXPECT_EQ(too_fast.text(), "");
  MeasurementRows rows({measurement.what});
  const auto text_of = [&](const std::string& doubt) {
    return to_text(
        Table{.title = "", .columns = rows.columns(), .rows = {rows.row(measurement, doubt)}, .note = ""},
        false);
  };
  EXPECT_TRUE(contains(text_of(too_fast.doubt(measurement)), "ok, faster than the ceilings of cpu\n"));
  EXPECT_TRUE(too_fast.text().starts_with(
      "1 case is faster than the ceilings (the device's highest measured speeds) allow"))
      << too_fast.text();
  EXPECT_TRUE(contains(too_fast.text(), describe(measurement.what)));
  const Measurement impossible = too_fast.judged(measurement);
  EXPECT_EQ(impossible.status, Status::impossible);
  EXPECT_EQ(impossible.reason, "0.001 µs, where the memory of cpu allows at least 2097 µs");
  EXPECT_EQ(impossible.call_times, measurement.call_times);
  measurement.call_times.assign(10, 1);
  EXPECT_EQ(too_fast.judged(measurement).status, Status::ok);
  EXPECT_FALSE(contains(text_of(too_fast.doubt(measurement)), "faster"));
  EXPECT_TRUE(too_fast.text().starts_with("1 case is")) << too_fast.text();
}

// An executor whose calls take a nanosecond for 2 MiB, which is impossible.
class Hasty : public CaseExecutor {
 public:
  std::optional<Measurement> run(const Case& what) override {
    Measurement measurement = timed(std::int64_t{1} << 20, std::vector<double>(10, 1e-9));
    measurement.what = what;
    measurement.work = {.bytes_read = 1 << 20, .bytes_written = 1 << 20, .flops = 0, .items = 1};
    return measurement;
  }
};

TEST(JudgedExecutor, GivesASearchNoTimeThatCannotBe) {
  Case what = timed(std::int64_t{1} << 20, {1}).what;
  what.device = "cpu";
  const std::vector<Ceiling> ceilings = {{"cpu", "read", 1000, 1e9}, {"cpu", "copy", 1000, 1e9}};
  EXPECT_EQ(JudgedExecutor(std::make_unique<Hasty>(), {}).run(what)->status, Status::ok);
  const std::optional<Measurement> judged = JudgedExecutor(std::make_unique<Hasty>(), ceilings).run(what);
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->status, Status::impossible);
  EXPECT_TRUE(judged->reason.starts_with("0.001 µs, where the memory of cpu allows")) << judged->reason;
}

TEST(Progress, ShowsShareByCostCountsTimeLeftAndCase) {
  const Case what = example();
  const Progress progress{.done = 1, .total = 100, .running = &what, .elapsed = 30, .remaining = 10};
  EXPECT_EQ(progress_bar(progress, 100, false),
            "[##################......] 1/100  10 s left  triad serial.baseline float N=300");
  EXPECT_EQ(progress_bar(progress, 40, false), "[##################......] 1/100  10 s");
  EXPECT_EQ(progress_line(progress), "1 of 100 cases done, 10 s left; now triad serial.baseline float N=300");
  EXPECT_EQ(progress_bar({.done = 50, .total = 100}, 100, false), "[############............] 50/100");
  EXPECT_EQ(progress_bar({.done = 2, .total = 2}, 100, false), "[########################] 2/2");
}

}  // namespace
}  // namespace sextant
