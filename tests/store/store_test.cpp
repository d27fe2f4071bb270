// Tests that a results file returns what was stored, also after kills, merges and repeated runs.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "record/json_text.hpp"
#include "record/keys.hpp"
#include "sample_results.hpp"
#include "store/checksum.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::full_description;
using test::full_measurement;
using test::make_case;
using test::make_measurement;
using test::make_session;
using test::TemporaryFolder;
using Mode = ResultsFile::Mode;

Results load(const std::string& path) { return ResultsFile(path, Mode::read).load(); }

void expect_equal(const Measurement& got, const Measurement& want) {
  EXPECT_EQ(key_of(got.what), key_of(want.what));
  EXPECT_EQ(got.what.problem_class, want.what.problem_class);
  EXPECT_EQ(got.what.problem.extents, want.what.problem.extents);
  EXPECT_EQ(got.what.problem.parameters, want.what.problem.parameters);
  EXPECT_EQ(got.status, want.status);
  EXPECT_EQ(got.reason, want.reason);
  EXPECT_EQ(got.standard_tuning, want.standard_tuning);
  EXPECT_EQ(got.calls_per_sample, want.calls_per_sample);
  EXPECT_EQ(got.clock_step, want.clock_step);
  EXPECT_EQ(got.prepare_times, want.prepare_times);
  EXPECT_EQ(got.first_call, want.first_call);
  ASSERT_EQ(got.states.size(), want.states.size());
  for (std::size_t i = 0; i < got.states.size(); ++i) {
    EXPECT_EQ(got.states[i].process, want.states[i].process);
    EXPECT_EQ(got.states[i].power, want.states[i].power);
    EXPECT_EQ(got.states[i].temperature, want.states[i].temperature);
    EXPECT_EQ(got.states[i].throttle_reasons, want.states[i].throttle_reasons);
    ASSERT_EQ(got.states[i].groups.size(), want.states[i].groups.size());
    for (std::size_t group = 0; group < got.states[i].groups.size(); ++group) {
      EXPECT_EQ(got.states[i].groups[group].samples, want.states[i].groups[group].samples);
      EXPECT_EQ(got.states[i].groups[group].clock, want.states[i].groups[group].clock);
      EXPECT_EQ(got.states[i].groups[group].throttled, want.states[i].groups[group].throttled);
    }
  }
  EXPECT_EQ(got.gap, want.gap);
  EXPECT_EQ(got.gap_times, want.gap_times);
  EXPECT_EQ(got.gap_device_times, want.gap_device_times);
  EXPECT_EQ(got.energies, want.energies);
  EXPECT_EQ(got.energy_times, want.energy_times);
  EXPECT_EQ(got.energy_window, want.energy_window);
  EXPECT_EQ(got.idle_power, want.idle_power);
  EXPECT_EQ(got.steady_after, want.steady_after);
  EXPECT_EQ(got.seed, want.seed);
  EXPECT_EQ(got.call_times, want.call_times);
  EXPECT_EQ(got.device_times, want.device_times);
  EXPECT_EQ(got.alloc_times, want.alloc_times);
  EXPECT_EQ(got.end_to_end_times, want.end_to_end_times);
  ASSERT_EQ(got.transfers.size(), want.transfers.size());
  for (std::size_t i = 0; i < got.transfers.size(); ++i) {
    EXPECT_EQ(got.transfers[i].array, want.transfers[i].array);
    EXPECT_EQ(got.transfers[i].to_device, want.transfers[i].to_device);
    EXPECT_EQ(got.transfers[i].method, want.transfers[i].method);
    EXPECT_EQ(got.transfers[i].bytes, want.transfers[i].bytes);
    EXPECT_EQ(got.transfers[i].times, want.transfers[i].times);
  }
  ASSERT_EQ(got.launches.size(), want.launches.size());
  for (std::size_t i = 0; i < got.launches.size(); ++i) {
    EXPECT_EQ(got.launches[i].name, want.launches[i].name);
    EXPECT_EQ(got.launches[i].grid, want.launches[i].grid);
    EXPECT_EQ(got.launches[i].block, want.launches[i].block);
    EXPECT_EQ(got.launches[i].registers, want.launches[i].registers);
    EXPECT_EQ(got.launches[i].shared_memory, want.launches[i].shared_memory);
    EXPECT_EQ(got.launches[i].occupancy, want.launches[i].occupancy);
    EXPECT_EQ(got.launches[i].time, want.launches[i].time);
    EXPECT_EQ(got.launches[i].count, want.launches[i].count);
  }
  EXPECT_EQ(got.counters, want.counters);
  ASSERT_EQ(got.phases.size(), want.phases.size());
  for (std::size_t i = 0; i < got.phases.size(); ++i) {
    EXPECT_EQ(got.phases[i].name, want.phases[i].name);
    EXPECT_EQ(got.phases[i].times, want.phases[i].times);
  }
  EXPECT_EQ(got.work.bytes_read, want.work.bytes_read);
  EXPECT_EQ(got.work.bytes_written, want.work.bytes_written);
  EXPECT_EQ(got.work.flops, want.work.flops);
  EXPECT_EQ(got.work.items, want.work.items);
  EXPECT_EQ(got.work.integer_operations, want.work.integer_operations);
  EXPECT_EQ(got.clock, want.clock);
  EXPECT_EQ(got.temperature, want.temperature);
  EXPECT_EQ(got.power, want.power);
  EXPECT_EQ(got.warnings, want.warnings);
  EXPECT_EQ(got.timestamp, want.timestamp);
  EXPECT_EQ(store::checksum(got), store::checksum(want));
}

TEST(Store, GivesBackEveryField) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    const std::int64_t session = file.begin_session(make_session());
    file.add_ceilings(session, {{"gpu0", "triad", 1 << 20, 4e12}, {"gpu0", "launch_cuda", 0, 3e-6}});
    file.add(session, full_measurement());
  }
  const Results results = load(folder / "r");
  ASSERT_EQ(results.sessions.size(), 1u);
  const Session& session = results.sessions[0];
  EXPECT_EQ(session.started, "2024-05-01T10:00:00Z");
  EXPECT_EQ(session.command, "sextant run -o results.sextant");
  EXPECT_EQ(session.version, "0.1.0");
  EXPECT_EQ(session.environment, make_session().environment);
  ASSERT_EQ(session.ceilings.size(), 2u);
  EXPECT_EQ(session.ceilings[1].name, "triad");
  EXPECT_EQ(session.ceilings[1].footprint, 1 << 20);
  EXPECT_EQ(session.ceilings[1].value, 4e12);
  ASSERT_EQ(results.measurements.size(), 1u);
  EXPECT_EQ(results.measurements[0].session, session.id);
  expect_equal(results.measurements[0].measurement, full_measurement());
}

Session described_session() {
  Session session = make_session();
  session.kernels = {{"copy", {}}, {"triad", full_description()}};
  return session;
}

// If the session does not describe the variant, its name determines the library that starts its threads.
TEST(Store, CasesHaveTheThreadLibraryThatTheSessionSays) {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, ThreadLibrary>> expected = {
      {"library.blas", ThreadLibrary::openblas},
      {"openmp.one_thread", ThreadLibrary::none},
      {"library.openblas", ThreadLibrary::openblas},
      {"serial.native", ThreadLibrary::none}};
  {
    ResultsFile file(folder / "r", Mode::write);
    const std::int64_t session = file.begin_session(described_session());
    for (const auto& [variant, library] : expected)
      file.add(session, make_measurement(make_case("triad", variant, 300), 1e-3));
    file.add(session, make_measurement(make_case("add", "openmp.one_thread", 300), 1e-3));
  }
  const Results results = load(folder / "r");
  ASSERT_EQ(results.measurements.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(results.measurements[i].measurement.what.thread_library, expected[i].second)
        << expected[i].first;
  EXPECT_EQ(results.measurements.back().measurement.what.thread_library, ThreadLibrary::openmp);
}

TEST(Store, GivesTunablesTheirNamesOfToday) {
  const TemporaryFolder folder;
  Search search;
  search.space = make_case("gather_random", "openmp.prefetch", 300);
  search.standard = {{"ahead", 32}};
  search.steps.push_back({{{"ahead", 8}}, false, Effort::measured, Status::ok, "", 2e-3, 1e-3, 3e-3, 9, 0.1});
  search.finalists.push_back({{{"ahead", 8}}, 2e-3, {}, false});
  {
    ResultsFile file(folder / "r", Mode::write);
    const std::int64_t session = file.begin_session(make_session());
    for (const char* kernel : {"gather_random", "mine"})
      file.add(session, make_measurement(make_case(kernel, "openmp.prefetch", 300, ElementType::float32,
                                                   {{"block", 4}, {"ahead", 32}}),
                                         1e-3));
    file.add(session, search);
  }
  const Results results = load(folder / "r");
  ASSERT_EQ(results.measurements.size(), 2u);
  EXPECT_EQ(results.measurements[0].measurement.what.tuning,
            (Tuning{{"block", 4}, {"prefetch_distance", 32}}));
  EXPECT_EQ(results.measurements[1].measurement.what.tuning, (Tuning{{"block", 4}, {"ahead", 32}}))
      << "a user's own";
  ASSERT_EQ(results.searches.size(), 1u);
  EXPECT_EQ(results.searches[0].standard, (Tuning{{"prefetch_distance", 32}}));
  EXPECT_EQ(results.searches[0].steps.at(0).tuning, (Tuning{{"prefetch_distance", 8}}));
  EXPECT_EQ(results.searches[0].finalists.at(0).tuning, (Tuning{{"prefetch_distance", 8}}));
}

TEST(Store, GivesBackTheDescriptionsOfKernels) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    file.begin_session(described_session());
    file.begin_session(make_session("beta"));
  }
  const Results results = load(folder / "r");
  ASSERT_EQ(results.sessions.size(), 2u);
  const KernelDescriptions& kernels = results.sessions[0].kernels;
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(to_json(kernels.at("triad")), to_json(full_description()));
  EXPECT_EQ(to_json(kernels.at("copy")), to_json(KernelDescription()));
  const KernelDescription& triad = kernels.at("triad");
  EXPECT_EQ(triad.formula, full_description().formula);
  EXPECT_EQ(triad.parameters, full_description().parameters);
  ASSERT_EQ(triad.arrays.size(), 3u);
  EXPECT_EQ(triad.arrays[1].name, "b");
  EXPECT_EQ(triad.arrays[1].role, Role::inout);
  EXPECT_EQ(triad.unit.count, UnitOfWork::Count::flops);
  EXPECT_EQ(triad.problems, full_description().problems);
  EXPECT_EQ(triad.excluded_from_ranking, full_description().excluded_from_ranking);
  EXPECT_EQ(triad.thread_libraries, full_description().thread_libraries);
  EXPECT_EQ(triad.preparations, full_description().preparations);
  EXPECT_EQ(triad.study.place, 4);
  EXPECT_EQ(triad.report->iterations, 2);
  EXPECT_EQ(triad.published.at(0).speedups.at(1).value, 1.0 / 3);
  EXPECT_FALSE(kernels.at("copy").report);
  EXPECT_TRUE(results.sessions[1].kernels.empty());
}

TEST(Store, MergingBringsDescriptionsAlong) {
  const TemporaryFolder folder;
  {
    ResultsFile old(folder / "old", Mode::write), now(folder / "now", Mode::write);
    old.add(old.begin_session(make_session("beta")), full_measurement());
    now.add(now.begin_session(described_session()), full_measurement());
    old.begin_session(make_session());  // the same session without descriptions
  }
  for (const auto& [first, second] : {std::pair("old", "now"), std::pair("now", "old")}) {
    ResultsFile into(folder / (std::string("into ") + first), Mode::write);
    for (int twice = 0; twice < 2; ++twice)
      for (const char* name : {first, second}) merge(load(folder / name), into);
    const Results results = into.load();
    ASSERT_EQ(results.sessions.size(), 2u);
    for (const Session& session : results.sessions)
      EXPECT_EQ(session.kernels.size(), machine_of(session) == "beta" ? 0u : 2u);
    EXPECT_EQ(results.measurements.size(), 2u);
  }
}

TEST(Store, KeepsWhatIsNotKnownUnknown) {
  const TemporaryFolder folder;
  Measurement bare;
  bare.what = make_case("copy", "openmp.simd", 100);
  bare.status = Status::timed_out;
  bare.reason = "no answer within 60 s";
  bare.error = std::numeric_limits<double>::infinity();
  {
    ResultsFile file(folder / "r", Mode::write);
    const std::int64_t session = file.begin_session(make_session());
    file.add(session, bare);
    bare.what.variant = "openmp.other";
    bare.error = std::numeric_limits<double>::quiet_NaN();
    file.add(session, bare);
  }
  const Results results = load(folder / "r");
  ASSERT_EQ(results.measurements.size(), 2u);
  const Measurement& got = results.measurements[0].measurement;
  EXPECT_EQ(got.status, Status::timed_out);
  EXPECT_TRUE(std::isinf(got.error));
  EXPECT_FALSE(got.clock.has_value());
  EXPECT_FALSE(got.standard_tuning.has_value());
  EXPECT_TRUE(got.call_times.empty());
  EXPECT_TRUE(std::isnan(results.measurements[1].measurement.error));
}

TEST(Store, MeasuringAgainReplacesTheCaseOnThisMachineOnly) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    const Case what = make_case("triad", "serial.baseline", 7936);
    file.add(file.begin_session(make_session("alpha", "2024-05-01T10:00:00Z")), make_measurement(what, 1));
    file.add(file.begin_session(make_session("beta", "2024-05-01T10:00:00Z")), make_measurement(what, 2));
    const std::int64_t again = file.begin_session(make_session("alpha", "2024-05-02T10:00:00Z"));
    file.add(again, full_measurement());
    file.add(again, make_measurement(what, 3));
    file.add(again, full_measurement());  // replaces the stored measurement and its details
  }
  const Results results = load(folder / "r");
  std::vector<double> medians;
  for (const StoredMeasurement& stored : results.measurements)
    if (stored.measurement.what.variant == "serial.baseline")
      medians.push_back(stored.measurement.call_times[5]);
  EXPECT_EQ(medians, (std::vector<double>{2, 3}));
  ASSERT_EQ(results.measurements.size(), 3u);
  expect_equal(results.measurements[1].measurement,
               full_measurement());  // at its old position
}

TEST(Store, LeavesOneFile) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    file.add(file.begin_session(make_session()), full_measurement());
  }
  load(folder / "r");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
    names.push_back(entry.path().filename());
  EXPECT_EQ(names, std::vector<std::string>{"r"});
}

TEST(Store, ReplacesCasesOfTheSameThreadsAlone) {
  const TemporaryFolder folder;
  ResultsFile file(folder / "r", Mode::write);
  const Case serial = make_case("triad", "serial.baseline", 7936),
             openmp = make_case("triad", "openmp.simd", 7936);
  int second = 10;
  for (const char* threads : {"2", "4", "2"}) {
    Session session = make_session("alpha", "2024-05-01T10:00:" + std::to_string(++second) + "Z");
    session.environment["openmp.threads"] = threads;
    const std::int64_t id = file.begin_session(session);
    for (const Case& what : {serial, openmp}) file.add(id, make_measurement(what, second));
  }
  std::vector<std::pair<std::string, std::int64_t>> left;
  for (const StoredMeasurement& stored : file.load().measurements)
    left.emplace_back(stored.measurement.what.variant, stored.session);
  EXPECT_EQ(left, (std::vector<std::pair<std::string, std::int64_t>>{
                      {"openmp.simd", 2}, {"serial.baseline", 3}, {"openmp.simd", 3}}));
}

TEST(Store, KeysAreThoseOfOneMachine) {
  const TemporaryFolder folder;
  ResultsFile file(folder / "r", Mode::write);
  const Case one = make_case("triad", "serial.baseline", 7936),
             two = make_case("copy", "serial.baseline", 7936);
  file.add(file.begin_session(make_session("alpha")), make_measurement(one, 1));
  file.add(file.begin_session(make_session("beta")), make_measurement(two, 1));
  EXPECT_EQ(file.keys("alpha"), std::set<std::string>{key_of(one)});
  EXPECT_EQ(file.keys("beta"), std::set<std::string>{key_of(two)});
  EXPECT_TRUE(file.keys("gamma").empty());
}

TEST(Store, ASessionLearnsMoreOfItsEnvironment) {
  const TemporaryFolder folder;
  Session session = make_session();
  {
    ResultsFile file(folder / "r", Mode::write);
    const std::int64_t id = file.begin_session(session);
    file.add_environment(id, {{"run_to_run.cpu", "0.1 of 12"}, {"machine", session.environment["machine"]}});
    file.add_environment(id, {{"run_to_run.gpu", "0.01 of 8"}});
    file.require_kept(id);
  }
  session.environment["run_to_run.cpu"] = "0.1 of 12";
  session.environment["run_to_run.gpu"] = "0.01 of 8";
  const Results kept = ResultsFile(folder / "r", Mode::read).load();
  ASSERT_EQ(kept.sessions.size(), 1u);
  EXPECT_EQ(kept.sessions[0].environment, session.environment);
  ResultsFile other(folder / "other", Mode::write);
  merge(kept, other);
  EXPECT_EQ(other.load().sessions[0].environment, session.environment);
}

TEST(Store, SessionsGoOnInAnExistingFile) {
  const TemporaryFolder folder;
  for (const char* started : {"2024-05-01T10:00:00Z", "2024-05-02T10:00:00Z"}) {
    ResultsFile file(folder / "r", Mode::write);
    const std::int64_t session = file.begin_session(make_session("alpha", started));
    file.add(session, make_measurement(make_case(started, "serial.baseline", 7936), 1));
  }
  EXPECT_EQ(load(folder / "r").sessions.size(), 2u);
  EXPECT_EQ(load(folder / "r").measurements.size(), 2u);
}

std::string content(const std::string& path) {
  std::string text;
  const Results results = load(path);
  for (const Session& session : results.sessions)
    text +=
        session.started + session.environment.at("machine") + std::to_string(session.ceilings.size()) + ";";
  for (const StoredMeasurement& stored : results.measurements)
    text += std::to_string(store::checksum(stored.measurement)) + ";";
  return text;
}

TEST(Store, MergingTwiceChangesNothing) {
  const TemporaryFolder folder;
  for (const char* machine : {"alpha", "beta"}) {
    ResultsFile file(folder / machine, Mode::write);
    for (const char* day : {"2024-05-01T10:00:00Z", "2024-05-02T10:00:00Z"}) {
      const std::int64_t session = file.begin_session(make_session(machine, day));
      file.add_ceilings(session, {{"cpu", "triad", 1 << 20, 4e10}});
      file.add(session,
               make_measurement(make_case(std::string("triad") + day[9], "serial.baseline", 7936), 1));
      file.add(session, full_measurement());
    }
  }
  const auto merge_all = [&] {
    ResultsFile into(folder / "both", Mode::write);
    merge(load(folder / "alpha"), into);
    merge(load(folder / "beta"), into);
  };
  merge_all();
  const std::string once = content(folder / "both");
  EXPECT_EQ(load(folder / "both").sessions.size(), 4u);
  EXPECT_EQ(load(folder / "both").measurements.size(),
            6u);  // on each machine, the later full measurement replaced the earlier one
  merge_all();
  EXPECT_EQ(content(folder / "both"), once);
  {
    const Results itself = load(folder / "both");
    ResultsFile into(folder / "both", Mode::write);
    merge(itself, into);
  }
  EXPECT_EQ(content(folder / "both"), once);
}

TEST(Store, MergingAGrownFileAddsWhatIsNew) {
  const TemporaryFolder folder;
  const auto add = [&](const char* kernel) {
    ResultsFile file(folder / "source", Mode::write);
    const std::int64_t session = file.begin_session(make_session());
    file.add_ceilings(session, {{"cpu", kernel, 1 << 20, 4e10}});
    file.add(session, make_measurement(make_case(kernel, "serial.baseline", 7936), 1));
  };
  ResultsFile into(folder / "into", Mode::write);
  add("triad");
  merge(load(folder / "source"), into);
  add("copy");
  merge(load(folder / "source"), into);
  const Results results = into.load();
  EXPECT_EQ(results.sessions.size(), 1u);
  EXPECT_EQ(results.sessions[0].ceilings.size(), 2u);
  EXPECT_EQ(results.measurements.size(), 2u);
}

// Writes the cases 0, 1, 2, … and sends the number of each stored case through the pipe.
[[noreturn]] void write_until_killed(const std::string& path, int tell) {
  ResultsFile file(path, Mode::write);
  const std::int64_t session = file.begin_session(make_session());
  for (std::int64_t n = 0;; ++n) {
    Measurement measurement = full_measurement();
    measurement.what.problem_class.clear();
    measurement.what.problem.n = n % 50;  // cases repeat, so they are also replaced
    measurement.call_times.assign(1000, static_cast<double>(n));
    file.add(session, measurement);
    if (write(tell, &n, sizeof n) != sizeof n) _exit(1);
  }
}

TEST(Store, AKillLosesAtMostTheRunningCase) {
  // Uses a folder in memory, so that kills hit writes rather than waits for the disk.
  const TemporaryFolder folder(std::filesystem::exists("/dev/shm") ? "/dev/shm" : "");
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const std::string path = folder / ("r" + std::to_string(round % 3));  // some files are new, others exist
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) write_until_killed(path, ends[1]);
    close(ends[1]);
    std::int64_t told = -1;
    ASSERT_EQ(read(ends[0], &told, sizeof told), static_cast<ssize_t>(sizeof told)) << "round " << round;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "round " << round;
    for (std::int64_t n; read(ends[0], &n, sizeof n) == sizeof n;) told = n;
    close(ends[0]);
    const Results results = load(path);
    double latest = -1;
    for (const StoredMeasurement& stored : results.measurements)
      latest = std::max(latest, stored.measurement.call_times.at(0));
    EXPECT_GE(latest, static_cast<double>(told)) << "round " << round;
    ASSERT_GE(results.measurements.size(), static_cast<std::size_t>(std::min<std::int64_t>(told + 1, 50)));
  }
}

// A batch of measurements is stored completely or not at all. Readers never see a part of it.
TEST(Store, WhatIsAddedTogetherIsCommittedTogether) {
  const TemporaryFolder folder;
  const auto stored = [&] { return load(folder / "r").measurements.size(); };
  ResultsFile file(folder / "r", Mode::write);
  const std::int64_t session = file.begin_session(make_session());
  const auto add = [&](int first, int count) {
    for (int i = first; i < first + count; ++i) {
      Measurement one = full_measurement();
      one.what.problem.n = i;
      one.what.problem_class.clear();
      file.add(session, one);
    }
  };
  file.add_together([&] {
    add(0, 3);
    EXPECT_EQ(stored(), 0u);
  });
  EXPECT_EQ(stored(), 3u);
  EXPECT_THROW(file.add_together([&] {
    add(3, 2);
    throw UserError("interrupted");
  }),
               UserError);
  EXPECT_EQ(stored(), 3u);
  add(5, 1);  // a single case again
  EXPECT_EQ(stored(), 4u);
}

// Storing a case writes the same number of bytes, however large the file is.
TEST(Store, StoringACaseWritesOnlyThatCase) {
  const TemporaryFolder folder;
  ResultsFile file(folder / "r", Mode::write);
  const std::int64_t session = file.begin_session(make_session());
  Measurement measurement = full_measurement();
  measurement.what.problem_class.clear();
  measurement.call_times.assign(1000, 1e-6);
  measurement.device_times.assign(1000, 1e-6);
  const auto written = [] {  // bytes written by this process
    std::ifstream io("/proc/self/io");
    std::string name;
    std::int64_t value = 0;
    while (io >> name >> value)
      if (name == "wchar:") return value;
    return std::int64_t{-1};
  };
  const auto add = [&](int first, int count) {
    const std::int64_t before = written();
    for (int n = first; n < first + count; ++n) {
      measurement.what.problem.n = n;
      file.add(session, measurement);
    }
    return (written() - before) / count;
  };
  if (written() < 0) GTEST_SKIP() << "this system does not count what a process writes";
  const std::int64_t early = add(0, 20), samples = 2 * 1000 * 8;
  add(20, 160);
  const std::int64_t late = add(180, 20);
  EXPECT_LT(early, 8 * samples);
  EXPECT_LT(late, 2 * early);
}

Search full_search() {
  Search search;
  search.space = make_case("triad", "cuda.tuned", 3000);
  search.strategy = "model";
  search.seed = 0xFFFFFFFFFFFFFFFFu;
  search.goal = "device";
  search.prior = "triad|cuda.tuned|float|300";
  search.points = 12;
  search.refused = 4;
  search.standard = {{"block_size", 256}, {"items", 1}};
  search.steps.push_back(
      {search.standard, true, Effort::measured, Status::ok, "", 2e-3, 1.9e-3, 2.1e-3, 40, 0.25});
  search.steps.push_back(
      {{{"block_size", 32}, {"items", 8}}, false, Effort::checked_only, Status::ok, "", 9e-3, 0, 0, 1, 0.1});
  return search;
}

void expect_equal(const Search& got, const Search& want) {
  EXPECT_EQ(to_json(got), to_json(want));
  ASSERT_EQ(got.steps.size(), want.steps.size());
  for (std::size_t i = 0; i < got.steps.size(); ++i) {
    EXPECT_EQ(got.steps[i].tuning, want.steps[i].tuning);
    EXPECT_EQ(got.steps[i].known, want.steps[i].known);
    EXPECT_EQ(got.steps[i].effort, want.steps[i].effort);
    EXPECT_EQ(got.steps[i].status, want.steps[i].status);
    EXPECT_EQ(got.steps[i].reason, want.steps[i].reason);
    EXPECT_EQ(got.steps[i].time, want.steps[i].time);
    EXPECT_EQ(got.steps[i].low, want.steps[i].low);
    EXPECT_EQ(got.steps[i].high, want.steps[i].high);
    EXPECT_EQ(got.steps[i].samples, want.steps[i].samples);
    EXPECT_EQ(got.steps[i].cost, want.steps[i].cost);
  }
}

TEST(Store, KeepsSearchesStepByStepAndAsTheyEnd) {
  const TemporaryFolder folder;
  Search search = full_search();
  {
    ResultsFile file(folder / "r", Mode::write);
    const std::int64_t session = file.begin_session(make_session());
    file.add(session, search);
    search.steps.push_back(
        {{{"block_size", 64}, {"items", 8}}, false, Effort::measured, Status::failed, "died", 0, 0, 0, 0, 1});
    file.add_step(session, search);
  }
  ASSERT_EQ(load(folder / "r").searches.size(), 1u);
  expect_equal(load(folder / "r").searches[0], search);
  search.finalists.push_back({search.standard, 2e-3, {0.9, 1, 1.1, 0, 11}, false});
  search.gain = Interval{1, 1, 1, 0, 11};
  search.ended = "the budget is spent";
  {
    ResultsFile file(folder / "r", Mode::write);
    file.add(file.begin_session(make_session()), search);
  }
  const Results results = load(folder / "r");
  ASSERT_EQ(results.searches.size(), 1u);
  expect_equal(results.searches[0], search);
}

TEST(Store, MergesSearchesOnce) {
  const TemporaryFolder folder;
  {
    ResultsFile file(folder / "r", Mode::write);
    file.add(file.begin_session(make_session()), full_search());
  }
  ResultsFile into(folder / "all", Mode::write);
  for (int i = 0; i < 2; ++i) merge(load(folder / "r"), into);
  ASSERT_EQ(into.load().searches.size(), 1u);
  expect_equal(into.load().searches[0], full_search());
}

}  // namespace
}  // namespace sextant
