// Tests of `sextant merge` from the user's side.
#include <gtest/gtest.h>

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
