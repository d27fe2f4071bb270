// Tests of `sextant merge` as a user calls it.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "golden.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::content_of;
using test::make_case;
using test::make_measurement;
using test::make_session;
using test::Outcome;
using test::run_sextant;
using test::TemporaryFolder;

void store(const std::string& path, const std::string& machine, const std::vector<std::string>& kernels) {
  ResultsFile file(path, ResultsFile::Mode::write);
  const std::int64_t session = file.begin_session(make_session(machine));
  for (const std::string& kernel : kernels)
    file.add(session, make_measurement(make_case(kernel, "serial.baseline", 30000), 1e-3));
}

TEST(MergeCommand, JoinsFilesAndDoingItAgainChangesNothing) {
  const TemporaryFolder folder;
  store(folder / "a", "alpha", {"copy", "triad"});
  store(folder / "b", "beta", {"copy"});
  const std::string command = "merge " + (folder / "a") + " " + (folder / "b") + " -o " + (folder / "all");
  const Outcome first = run_sextant(command);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, "");
  const Outcome again = run_sextant(command);
  EXPECT_EQ(run_sextant("merge " + (folder / "all") + " -o " + (folder / "all")).code, 0);
  const Outcome one = run_sextant("merge " + (folder / "b") + " -o " + (folder / "one"));
  test::expect_golden(test::replaced(first.err + again.err + one.err, folder / "", ""), "cli/merge:joined");
  EXPECT_EQ(ResultsFile(folder / "all", ResultsFile::Mode::read).load().measurements.size(), 3u);
}

// Three runs of one build measured speed-ups of 3.60, 2.29 and 2.27. The merged speed-up combines all three.
TEST(MergeCommand, RunsOfOneBuildAreJoinedInWhatIsShown) {
  const TemporaryFolder folder;
  const auto store_run = [&](const std::string& name, double speedup, const std::string& revision,
                             bool visits) {
    ResultsFile file(folder / name, ResultsFile::Mode::write);
    Session session = make_session("alpha", "2024-05-01T10:00:0" + name + "Z");
    session.environment["git_revision"] = revision;
    if (visits) session.environment["run.visits"] = "8";
    const std::int64_t id = file.begin_session(session);
    for (const auto& [variant, seconds] :
         {std::pair("serial.baseline", 1e-3), std::pair("openmp.simd", 1e-3 / speedup)}) {
      Measurement m = make_measurement(make_case("triad", variant, 30000), seconds);
      m.timestamp = session.started;
      for (int process = 1; visits && process < 4; ++process) m.visits.push_back({process, {seconds}});
      file.add(id, m);
    }
  };
  const auto row = [&](const std::string& names) {
    std::string command = "merge";
    for (const char name : names) command += " " + (folder / std::string(1, name));
    std::filesystem::remove(folder / "all");
    EXPECT_EQ(run_sextant(command + " -o " + (folder / "all")).code, 0);
    const std::string rows = run_sextant("export --format ndjson -v openmp " + (folder / "all")).out;
    const std::string newest = rows.substr(rows.rfind('\n', rows.size() - 2) + 1);
    return nlohmann::json::parse(newest, nullptr, false);
  };
  store_run("1", 3.60, "abc", true), store_run("2", 2.29, "abc", true), store_run("3", 2.27, "abc", true);
  const nlohmann::json all = row("123"), one = row("3");
  EXPECT_NEAR(one["speedup_serial"].get<double>(), 2.27, 0.01);
  EXPECT_NEAR(all["speedup_serial"].get<double>(), std::cbrt(3.60 * 2.29 * 2.27), 0.05);
  EXPECT_LT(all["speedup_serial_low"].get<double>(), 2.27);
  EXPECT_GT(all["speedup_serial_high"].get<double>(), 3.3);
  EXPECT_EQ(one["processes"], 4);
  EXPECT_EQ(all["processes"], 12);
  store_run("4", 1.5, "other", true);  // runs of another build are not combined
  EXPECT_NEAR(row("1234")["speedup_serial"].get<double>(), 1.5, 0.01);
  store_run("5", 1.7, "abc", false);  // runs without repeated processes are not combined
  EXPECT_NEAR(row("1235")["speedup_serial"].get<double>(), 1.7, 0.01);
}

TEST(MergeCommand, ABadSourceLeavesTheOutputAlone) {
  const TemporaryFolder folder;
  store(folder / "a", "alpha", {"copy"});
  store(folder / "all", "alpha", {"triad"});
  std::ofstream(folder / "text") << "no results\n";
  const std::string before = content_of(folder / "all");
  const Outcome outcome =
      run_sextant("merge " + (folder / "a") + " " + (folder / "text") + " -o " + (folder / "all"));
  EXPECT_EQ(outcome.code, 2);
  test::expect_golden(test::replaced(outcome.err, folder / "", ""), "cli/merge:refused");
  EXPECT_TRUE(content_of(folder / "all") == before);
  EXPECT_EQ(run_sextant("merge " + (folder / "a") + " " + (folder / "none") + " -o " + (folder / "new")).code,
            2);
  EXPECT_FALSE(std::filesystem::exists(folder / "new"));
}

TEST(MergeCommand, NeedsAnOutputAndWritesToNothingElse) {
  const TemporaryFolder folder;
  store(folder / "a", "alpha", {"copy"});
  EXPECT_EQ(run_sextant("merge " + (folder / "a")).code, 2);
  EXPECT_EQ(run_sextant("merge -o " + (folder / "all")).code, 2);
  std::ofstream(folder / "text") << "no results\n";
  EXPECT_EQ(run_sextant("merge " + (folder / "a") + " -o " + (folder / "text")).code, 2);
  EXPECT_EQ(content_of(folder / "text"), "no results\n");
}

}  // namespace
}  // namespace sextant
